package drafts

import (
	"context"

	"heliograph/app/documentation/editorial"
	"heliograph/app/people/identity"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db"
	peoplequeries "heliograph/db/queries/people"
	view "heliograph/views/documentation/drafts"
	"heliograph/views/ui"
)

// manyAdministrators is more than are looked at for another reviewer.
const manyAdministrators = 1000

// orient says how a change set goes on where its state alone does not: an only
// administrator has no reviewer, and what was published has pages.
func orient(ctx context.Context, q db.Querier, d desk.Draft, p *view.DraftPage) error {
	if d.Set.State == editorial.StatePublished && d.Items[d.Set.ProductID].LiveRevisionID != 0 {
		p.Next = ui.Link{Label: "See it as readers do", Href: "/docs/" + d.Items[d.Set.ProductID].Slug}
		return nil
	}
	waits := d.Set.State == editorial.StateDraft || d.Set.State == editorial.StateInReview
	if !waits || !d.May(editorial.MoveOverride) || d.Set.PracticeOf != 0 || d.Set.State == editorial.StateInReview && d.May(editorial.MoveApprove) {
		return nil
	}
	people, err := peoplequeries.AdminUserList(ctx, q, peoplequeries.AdminUserFilter{State: "active", Limit: manyAdministrators})
	if err != nil {
		return err
	}
	for _, person := range people {
		if person.ID != d.Actor.ID && person.Role != identity.Viewer {
			return nil
		}
	}
	p.Note = "Nobody else can review it yet. Publish it without approval and give the reason, or invite a reviewer."
	p.Next, p.Alone = ui.Link{Label: "Invite a reviewer", Href: page.UsersPath + "/invite"}, true
	return nil
}
