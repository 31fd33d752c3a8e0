package published_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/db"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/documentation"
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
			c := published.New(tx, db.NewListener(nil))
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

// The scopes of a snapshot are the products and versions with a release, each
// with its own latest release and its parent.
func TestScopesHaveTheirLatestRelease(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	for _, text := range []string{document, strings.Replace(document, "Get a", "Read a", 1)} {
		if err := editorial.Seed(t.Context(), tx, files(text)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tx.Exec(t.Context(), `insert into items (kind, parent_id, slug) select 'version', id, '2.0' from items where slug = 'letters'`); err != nil {
		t.Fatal(err)
	}
	scopes, err := queries.PublishedScopeList(t.Context(), tx, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	ids := map[int64]string{0: "-"}
	for _, s := range scopes {
		ids[s.ID] = s.Slug
		got = append(got, fmt.Sprintf("%s %s below %s, release %d", s.Kind, s.Slug, ids[s.ParentID], s.Number))
		var latest int64
		var at time.Time
		err := tx.QueryRow(t.Context(), `select id, published_at from releases where scope_id = $1 order by number desc limit 1`, s.ID).Scan(&latest, &at)
		if err != nil || s.ReleaseID != latest || !s.PublishedAt.Equal(at) {
			t.Errorf("%s has release %d of %v, want %d of %v, %v", s.Slug, s.ReleaseID, s.PublishedAt, latest, at, err)
		}
	}
	slices.Sort(got)
	want := []string{"product letters below -, release 1", "product voice below -, release 1", "version 1.0 below letters, release 2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("scopes (-want +got):\n%s", diff)
	}
}
