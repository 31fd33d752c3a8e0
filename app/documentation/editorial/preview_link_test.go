package editorial_test

import (
	"encoding/json"
	"testing"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/db/dbtest"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

func (d *desk) link(number int) string {
	d.Helper()
	token, err := editorial.CreatePreviewLink(d.Context(), d.db, d.ada, editorial.PreviewLinkRequest{ItemID: d.guide, Number: number, Days: 7})
	d.ok(err)
	return token
}

// shows expects the text that a link shows, "live" where readers find it, and "ended"
// where the link shows nothing.
func (d *desk) shows(token, want string) {
	d.Helper()
	p, err := editorial.OpenPreviewLink(d.Context(), d.db, token)
	var g content.Guide
	switch f := fault.As(err); {
	case f != nil && f.Kind == fault.NotFound:
		g.Text = "ended"
	case err != nil:
		d.Fatal(err)
	case p.Live:
		g.Text = "live"
	default:
		d.ok(json.Unmarshal(p.Change.Content, &g))
	}
	if g.Text != want {
		d.Errorf("the link shows %q, want %q", g.Text, want)
	}
}

// A link follows one draft or shows one revision, until that is published. A later
// draft is none of its business.
func TestPreviewLinkFollowsOrPins(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	_, err := editorial.CreatePreviewLink(t.Context(), d.db, d.ada, editorial.PreviewLinkRequest{ItemID: d.guide, Days: 7})
	d.refused(err, fault.Conflict, "")
	set := d.save(d.ada, d.guide, guideText("Begin here", "First.")).ChangeSetID
	follow, pin := d.link(0), d.link(2)
	d.save(d.ada, d.guide, guideText("Begin here", "Second."))
	second := d.link(3)
	d.shows(follow, "Second.")
	d.shows(pin, "First.")
	d.ok(editorial.Submit(d.Context(), d.db, d.ada, set, "A better start"))
	d.ok(editorial.Approve(d.Context(), d.db, d.ben, set, d.hash(set)))
	err = editorial.Publish(d.Context(), d.db, d.ada, set, false)
	d.ok(err)
	d.shows(follow, "live")
	d.shows(second, "live")
	d.shows(pin, "First.")
	d.save(d.ben, d.guide, guideText("Begin here", "Ben's secret."))
	d.shows(follow, "live")
	d.shows(second, "live")
	_, err = editorial.CreatePreviewLink(t.Context(), d.db, d.ada, editorial.PreviewLinkRequest{ItemID: d.guide, Number: 3, Days: 7})
	d.refused(err, fault.Invalid, "")
	d.exec(`update items set archived_at = now() where id = $1`, d.guide)
	d.shows(second, "ended")
	d.exec(`update items set trashed_at = now() where id = $1`, d.guide)
	d.shows(pin, "ended")
}

// The link ends with a draft that is given up, though the item gets another one.
func TestPreviewLinkOfADiscardedDraft(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	set := d.save(d.ada, d.guide, guideText("Begin here", "First.")).ChangeSetID
	follow := d.link(0)
	d.ok(editorial.Discard(d.Context(), d.db, d.ada, set))
	d.shows(follow, "live")
	d.save(d.ben, d.guide, guideText("Begin here", "Ben's secret."))
	d.shows(follow, "live")
}

// A link that expired, was revoked or never existed shows nothing, and says no more.
func TestPreviewLinkEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	d.save(d.ada, d.guide, guideText("Begin here", "First."))
	expired, revoked := d.link(0), d.link(0)
	if n := d.count(`select count(*) from preview_links where encode(token_hash, 'escape') like '%' || $1 || '%' or encode(token_hash, 'hex') = $1`, expired); n != 0 {
		t.Error("a token is stored as it is")
	}
	if n := d.count(`select count(*) from preview_links where expires_at - created_at = interval '7 days'`); n != 2 {
		t.Errorf("%d links are valid for 7 days, want 2", n)
	}
	list, err := queries.PreviewLinkList(t.Context(), d.db, d.guide)
	d.ok(err)
	d.refused(editorial.RevokePreviewLink(t.Context(), d.db, d.other, d.guide, list[0].ID), fault.Forbidden, "")
	d.refused(editorial.RevokePreviewLink(t.Context(), d.db, d.ada, d.getA, list[0].ID), fault.NotFound, "")
	d.ok(editorial.RevokePreviewLink(t.Context(), d.db, d.ben, d.guide, list[0].ID))
	d.refused(editorial.RevokePreviewLink(t.Context(), d.db, d.ada, d.guide, list[0].ID), fault.Conflict, "")
	d.exec(`update preview_links set expires_at = now() where id = $1`, list[1].ID)
	_, unknown := editorial.OpenPreviewLink(t.Context(), d.db, "unknown")
	for what, token := range map[string]string{"expired": expired, "revoked": revoked} {
		d.shows(token, "ended")
		if _, err := editorial.OpenPreviewLink(t.Context(), d.db, token); err == nil || err.Error() != unknown.Error() {
			t.Errorf("%s: %v, want %v", what, err, unknown)
		}
	}
	for _, a := range []editorial.Actor{d.other, d.viewer} {
		_, err := editorial.CreatePreviewLink(t.Context(), d.db, a, editorial.PreviewLinkRequest{ItemID: d.guide, Days: 7})
		d.refused(err, fault.Forbidden, "")
	}
	for _, r := range []editorial.PreviewLinkRequest{{ItemID: d.guide, Days: 400}, {ItemID: d.guide, Days: 7, Number: 99}} {
		_, err := editorial.CreatePreviewLink(t.Context(), d.db, d.ada, r)
		d.refused(err, fault.Invalid, "")
	}
	if n := d.count(`select count(*) from audit_entries where action in ('preview_link.create', 'preview_link.revoke')`); n != 3 {
		t.Errorf("%d entries in the audit, want 3", n)
	}
}

// What a form saved by itself is kept while a link shows it.
func TestPinnedRevisionIsKept(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.Tx(t))
	save := func(text string) {
		_, err := editorial.Save(t.Context(), d.db, d.ada, editorial.Edit{ItemID: d.guide, Content: guideText("Begin here", text), Base: d.item(d.guide).Head(), Form: "FORM", Auto: true})
		d.ok(err)
	}
	save("One.")
	save("Two.")
	save("Three.")
	pin := d.link(2)
	_, err := writes.RevisionDeleteReplaced(t.Context(), d.db, time.Now().Add(time.Hour))
	d.ok(err)
	d.shows(pin, "One.")
}
