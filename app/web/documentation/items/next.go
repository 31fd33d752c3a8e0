package items

import (
	"context"
	"strconv"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/items"
	"heliograph/views/ui"
)

// fillNext leads from an item to the review of its change set, and repeats what a
// reviewer asked for.
func fillNext(ctx context.Context, store db.Querier, p *view.ItemPage, e desk.Editing) error {
	p.Below = below(e)
	if e.Set.ID == 0 {
		return nil
	}
	var err error
	if p.Next, err = nextStep(ctx, store, e.Set.ID); err != nil {
		return err
	}
	reviews, err := queries.ReviewList(ctx, store, e.Set.ID)
	if err != nil {
		return err
	}
	p.Request = desk.RequestOf(e.Set, reviews, time.Now())
	return nil
}

// below leads from a product to a new version of it, and from a version to a new
// endpoint.
func below(e desk.Editing) ui.Link {
	words := map[string][2]string{content.KindProduct: {content.KindVersion, "Add a version"}, content.KindVersion: {content.KindEndpoint, "Add an endpoint"}}[e.Item.Kind]
	if words[0] == "" || !e.Writes || e.Refusal != "" || e.Item.Trashed || e.Item.Archived {
		return ui.Link{}
	}
	return ui.Link{Label: words[1], Href: page.Address(desk.ProductPath(e.Product.ID)+"/new", page.Query("kind", words[0], "parent", strconv.FormatInt(e.Item.ID, 10)))}
}

// nextStep leads to the review of a change set, if there is one with changes.
func nextStep(ctx context.Context, store db.Querier, setID int64) (next ui.Link, err error) {
	if setID == 0 {
		return next, nil
	}
	changes, err := queries.ChangeSetItemList(ctx, store, setID)
	if err == nil && len(changes) > 0 {
		next = ui.Link{Label: "Review changes (" + strconv.Itoa(len(changes)) + ") →", Href: desk.DraftPath(setID)}
	}
	return next, err
}
