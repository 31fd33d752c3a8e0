package tutor_test

import (
	"fmt"
	"strings"
	"testing"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/tutor"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/documentation"
)

// Steps are done that a program did without a page: what is written, reviewed and released
// says so. Pages are opened for two steps alone, which are noted.
func TestStepsAreDoneWithoutPages(t *testing.T) {
	t.Parallel()
	tx, ctx := dbtest.Tx(t), t.Context()
	by := editorial.Actor{ID: identitytest.AddAdmin(t, tx, "asha", "asha@example.com", identity.Editor), Role: identity.Editor}
	by.Name = fmt.Sprintf("admin:%d", by.ID)
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	now := func(done ...string) *tutor.Progress {
		t.Helper()
		p, err := tutor.Read(ctx, tx, by.ID)
		ok(err)
		var got []string
		for _, s := range p.Steps {
			if s.Done {
				got = append(got, s.Name)
			}
		}
		if strings.Join(got, " ") != strings.Join(done, " ") {
			t.Fatalf("done are %v, want %v", got, done)
		}
		return p
	}
	save := func(itemID int64, old, text string) {
		t.Helper()
		item, err := queries.ItemGet(ctx, tx, itemID)
		ok(err)
		head, err := queries.RevisionGet(ctx, tx, item.Head())
		ok(err)
		written := strings.Replace(string(head.Content), old, text, 1)
		if written == string(head.Content) {
			t.Fatalf("%s has no %s", written, old)
		}
		_, err = editorial.Save(ctx, tx, by, editorial.Edit{ItemID: itemID, Content: []byte(written), Base: item.Head()})
		ok(err)
	}

	ok(tutor.Start(ctx, tx, by))
	p := now()
	save(p.EndpointID, `"minutes_before":"sixty"`, `"minutes_before":60`)
	now("find", "correct")
	save(p.GuideID, "a few minutes", "60 minutes")
	p = now("find", "edit", "correct")
	set := p.SetID
	ok(editorial.Submit(ctx, tx, by, set, "Say when the message is sent"))
	p = now("find", "edit", "correct", "submit")
	ok(editorial.Reply(ctx, tx, by, p.ThreadID, "There is a sentence now."))
	ok(editorial.Submit(ctx, tx, by, set, "Say when the message is sent"))
	now("find", "edit", "correct", "submit", "answer")
	changes, err := queries.ChangeSetItemList(ctx, tx, set)
	ok(err)
	ok(editorial.Approve(ctx, tx, by, set, editorial.Hash(changes)))
	now("find", "edit", "correct", "submit", "answer", "approve")
	ok(editorial.Publish(ctx, tx, by, set, false))
	ok(tutor.Note(ctx, tx, by.ID, tutor.Seen))
	now("find", "edit", "correct", "submit", "answer", "approve", "publish")
	item, err := queries.ItemGet(ctx, tx, p.GuideID)
	ok(err)
	first, err := queries.RevisionGetNumbered(ctx, tx, p.GuideID, 1)
	ok(err)
	_, err = editorial.Restore(ctx, tx, by, first.ID, item.Head())
	ok(err)
	ok(tutor.Note(ctx, tx, by.ID, tutor.Previewed))
	if p := now("find", "edit", "correct", "preview", "submit", "answer", "approve", "publish", "restore"); !p.IsFinished() {
		t.Errorf("the tutor is at %v", p.Action)
	}
}
