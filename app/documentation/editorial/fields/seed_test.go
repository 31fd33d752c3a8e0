package fields_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/documentation/editorial/seedtest"
)

// Opening and saving the form of any item that is published first gives the
// bytes that it had.
func TestRoundTripOfTheSeed(t *testing.T) {
	t.Parallel()
	tx := seedtest.Tx(t)
	rows, err := tx.Query(t.Context(), `select i.kind, i.slug, r.content from items i join revisions r on r.id = i.live_revision_id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	count := map[string]int{}
	for rows.Next() {
		var kind, slug string
		var raw json.RawMessage
		if err := rows.Scan(&kind, &slug, &raw); err != nil {
			t.Fatal(err)
		}
		count[kind]++
		values, err := fields.Values(kind, raw)
		if err != nil {
			t.Errorf("%s %s: %v", kind, slug, err)
			continue
		}
		for name, text := range values {
			values[name] = strings.ReplaceAll(text, "\n", "\r\n") // as browsers send it
		}
		if back, err := fields.Content(kind, raw, values); err != nil || !bytes.Equal(back, raw) {
			t.Errorf("%s %s is %.300s, want %.300s (%v)", kind, slug, back, raw, err)
		}
	}
	if count["endpoint"] < 70 || count["guide"] == 0 || count["schema"] == 0 || count["version"] == 0 {
		t.Errorf("only %v were tried", count)
	}
}
