package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"heliograph/app/catalogue"
	"heliograph/app/editorial"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// A version is read only while it and its product are live, neither archived
// nor in the trash. What is hidden does not keep the rest from being read.
func TestOnlyWhatIsLiveIsRead(t *testing.T) {
	t.Parallel()
	hide := map[string]string{
		"never published": `live_revision_id = null`,
		"archived":        `archived_at = now()`,
		"in the trash":    `trashed_at = now()`,
	}
	for _, tt := range []struct{ name, kind, set, want string }{
		{"all live", "version", `slug = slug`, "letters letters/1.0 voice"},
		{"version never published", "version", hide["never published"], "letters voice"},
		{"version archived", "version", hide["archived"], "letters voice"},
		{"version in the trash", "version", hide["in the trash"], "letters voice"},
		{"product never published", "product", hide["never published"], "voice"},
		{"product archived", "product", hide["archived"], "voice"},
		{"product in the trash", "product", hide["in the trash"], "voice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx := dbtest.Tx(t)
			if err := editorial.Seed(t.Context(), tx, files(document)); err != nil {
				t.Fatal(err)
			}
			changed, err := tx.Exec(t.Context(), `update items set `+tt.set+` where kind = $1 and slug in ('letters', '1.0')`, tt.kind)
			if err != nil || changed.RowsAffected() != 1 {
				t.Fatalf("%s, %v", changed, err)
			}
			c := catalogue.New(tx, db.NewListener(nil))
			if err := c.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			var seen []string
			for _, p := range c.Snapshot().Products {
				seen = append(seen, p.Slug)
				for _, v := range p.Versions {
					seen = append(seen, p.Slug+"/"+v.Slug)
				}
			}
			slices.Sort(seen)
			if got := strings.Join(seen, " "); got != tt.want {
				t.Errorf("read: %s, want %s", got, tt.want)
			}
		})
	}
}
