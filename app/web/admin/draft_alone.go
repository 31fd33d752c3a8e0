package admin

import (
	"context"

	"heliograph/app/documentation/editorial"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// manyAdministrators is more than are looked at for another reviewer.
const manyAdministrators = 1000

// orient says how a change set goes on where its state alone does not: an only
// administrator has no reviewer, and what was published has pages.
func orient(ctx context.Context, q db.Querier, d draft, p *view.DraftPage) error {
	if d.set.State == editorial.StatePublished && d.items[d.set.ProductID].LiveRevisionID != 0 {
		p.Next = ui.Link{Label: "See it as readers do", Href: "/docs/" + d.items[d.set.ProductID].Slug}
		return nil
	}
	waits := d.set.State == editorial.StateDraft || d.set.State == editorial.StateInReview
	if !waits || !d.may(editorial.MoveOverride) || d.set.PracticeOf != 0 || d.set.State == editorial.StateInReview && d.may(editorial.MoveApprove) {
		return nil
	}
	people, err := queries.AdminUserList(ctx, q, queries.AdminUserFilter{State: "active", Limit: manyAdministrators})
	if err != nil {
		return err
	}
	for _, person := range people {
		if person.ID != d.actor.ID && person.Role != identity.Viewer {
			return nil
		}
	}
	p.Note = "Nobody else can review it yet. Publish it without approval and give the reason, or invite a reviewer."
	p.Next, p.Alone = ui.Link{Label: "Invite a reviewer", Href: page.UsersPath + "/invite"}, true
	return nil
}
