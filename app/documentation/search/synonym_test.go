package search

import (
	"strings"
	"testing"

	"heliograph/app/fault"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/documentation"
)

func TestSynonymsAreAddedAndRemoved(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	if err := AddSynonym(t.Context(), tx, "  Signal   LAMP ", "Heliograph", "admin:1"); err != nil {
		t.Fatal(err)
	}
	found, err := queries.SynonymEntryList(t.Context(), tx, "LAMP")
	if err != nil || len(found) != 1 || found[0].Term != "signal lamp" || found[0].Means != "heliograph" {
		t.Fatalf("the list has %+v, %v", found, err)
	}
	for name, s := range map[string][2]string{
		"means":      {"signal lamp", "heliograph"}, // again
		"means same": {"lamp", "LAMP"},
		"term":       {" ", "lamp"},
		"term signs": {"?!", "lamp"},
		"term words": {"a b c d", "lamp"},
		"term long":  {strings.Repeat("a", 61), "lamp"},
	} {
		field, _, _ := strings.Cut(name, " ")
		err := AddSynonym(t.Context(), tx, s[0], s[1], "admin:1")
		if f := fault.As(err); f == nil || len(f.Fields) != 1 || f.Fields[0].Name != field {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := RemoveSynonym(t.Context(), tx, found[0].ID, "admin:1"); err != nil {
		t.Fatal(err)
	}
	if err := RemoveSynonym(t.Context(), tx, found[0].ID, "admin:1"); !fault.Is(err, fault.NotFound) {
		t.Errorf("removing it again gives %v", err)
	}
	var actions string
	if err := tx.QueryRow(t.Context(), `select string_agg(action, ' ' order by seq) from audit_entries`).Scan(&actions); err != nil || actions != "synonym.add synonym.remove" {
		t.Errorf("the audit holds %s (%v)", actions, err)
	}
}
