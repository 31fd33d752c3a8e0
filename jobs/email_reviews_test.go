package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/app/people/identity"
	"heliograph/db/queries/people/writes"
	"heliograph/jobs/args"
)

// Authors and reviewers receive one email for what others did with a change set
// within ten minutes, and none after they turned emails off.
func TestEmailsAboutReviews(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.deps.PublicURL = "https://docs.example.com"
	box := o.receive(t)
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(editorial.Seed(t.Context(), o.pool, fstest.MapFS{
		"products.json": {Data: []byte(`[{"slug":"letters","product":{"name":"Letters"},"version":"1.0","label":"Current","document":"letters.yaml","guides":[{"slug":"begin","title":"Begin","group":"Start"}]}]`)},
		"letters.yaml":  {Data: []byte("openapi: 3.1.0\ninfo: {title: Letters, version: '1.0'}\npaths: {}\n")}, "guides/letters/begin.md": {Data: []byte("Begin.\n")},
	}))
	var guide, base int64
	ok(o.pool.QueryRow(t.Context(), `select id, live_revision_id from items where kind = 'guide'`).Scan(&guide, &base))
	people := map[string]editorial.Actor{}
	for _, name := range []string{"ada", "ben", "cleo", "dan"} {
		a := editorial.Actor{Role: identity.Editor}
		ok(o.pool.QueryRow(t.Context(), `insert into admin_users (name, email, password_hash, role, password_set_at) values ($1, $1 || '@example.com', 'x', 'editor', now()) returning id`, name).Scan(&a.ID))
		a.Name = fmt.Sprintf("admin:%d", a.ID)
		_, err := o.pool.Exec(t.Context(), `insert into product_editors (admin_user_id, product_id) select $1, id from items where kind = 'product'`, a.ID)
		ok(err)
		people[name] = a
	}
	_, err := writes.AdminUserUpdateReviewEmails(t.Context(), o.pool, people["dan"].ID, false)
	ok(err)
	saved, err := editorial.Save(t.Context(), o.pool, people["ada"], editorial.Edit{ItemID: guide, Content: []byte(`{"title":"Begin","group":"Start","text":"Two."}`), Base: base})
	ok(err)
	set := saved.ChangeSetID
	ok(editorial.Submit(t.Context(), o.pool, people["ada"], set, "Two letters"))
	_, err = editorial.OpenThread(t.Context(), o.pool, people["ben"], set, editorial.Subject{ItemID: guide}, "Why two?")
	ok(err)
	ok(editorial.RequestChanges(t.Context(), o.pool, people["ben"], set, "Say why."))

	o.work(t)
	mail := func() (got map[string]string) {
		got = map[string]string{}
		for {
			select {
			case text := <-box.letters:
				_, to, _ := strings.Cut(text, "\nTo: ")
				to, _, _ = strings.Cut(to, "\r")
				got[strings.Trim(to, "<>")] = strings.ReplaceAll(text, "=\r\n", "")
			case <-time.After(2 * time.Second):
				return got
			}
		}
	}
	if early := mail(); len(early) != 0 {
		t.Fatalf("%d emails are sent before ten minutes passed", len(early))
	}
	_, err = o.pool.Exec(t.Context(), `update review_notices set created_at = created_at - interval '10 minutes'`)
	ok(err)
	_, err = o.inserter.Insert(t.Context(), args.EmailReviews{}, nil)
	ok(err)
	got := mail()
	if len(got) != 3 {
		t.Fatalf("emails: %v", got)
	}
	for to, words := range map[string][]string{
		"ada@example.com":  {"ben commented: Why two?", "ben requested changes: Say why.", fmt.Sprintf("https://docs.example.com/admin/drafts_and_reviews/%d", set), "Subject: 2 events"},
		"ben@example.com":  {"ada asks for a review: Two letters", "Subject: ada asks for a review: Two letters"},
		"cleo@example.com": {"Subject: 3 events"},
	} {
		for _, w := range words {
			if !strings.Contains(got[to], w) {
				t.Errorf("the email to %s lacks %q:\n%s", to, w, got[to])
			}
		}
	}
	if strings.Contains(got["ben@example.com"], "Why two?") {
		t.Error("ben receives his own comment")
	}
}
