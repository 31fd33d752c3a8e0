package editorial

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// PreviewDays are the days that a preview link may be valid, the usual number first.
var PreviewDays = []int{7, 1, 14, 30}

// PreviewLinkRequest asks for a link that shows a draft to people who do not sign in.
type PreviewLinkRequest struct {
	ItemID int64
	Number int // of the revision that it shows, zero for the draft as it changes
	Days   int // one of PreviewDays
}

// CreatePreviewLink makes a link and returns its token, which is stored as a hash. A
// link without a revision follows the draft that the item has now, until that is
// published or given up.
func CreatePreviewLink(ctx context.Context, b db.Beginner, actor Actor, r PreviewLinkRequest) (token string, err error) {
	if !slices.Contains(PreviewDays, r.Days) {
		return "", fault.InvalidFields(fault.Field{Name: "days", Message: "Choose one of the numbers of days."})
	}
	err = writeItem(ctx, b, actor, r.ItemID, func(w *writer) error {
		if w.practice {
			return fault.New(fault.Conflict, "Nobody else sees a practice product. Make preview links of other products.")
		}
		revisionID, err := w.previewed(ctx, r)
		if err != nil {
			return err
		}
		token = rand.Text()
		id, expiresAt, err := writes.PreviewLinkInsert(ctx, w.tx, models.NewPreviewLink{
			ItemID: r.ItemID, RevisionID: revisionID, CreatedBy: actor.ID, TokenHash: sum([]byte(token)), Life: time.Duration(r.Days) * 24 * time.Hour,
		})
		if err != nil {
			return fmt.Errorf("adding a preview link of item %d: %w", r.ItemID, err)
		}
		details := map[string]any{"link": id, "shows": "the draft", "expires_at": expiresAt.UTC().Format(time.RFC3339)}
		if r.Number != 0 {
			details["shows"] = fmt.Sprintf("revision %d", r.Number)
		}
		return w.record(ctx, "preview_link.create", itemTarget(r.ItemID), details)
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// previewed returns the revision that a new link shows, zero for the draft.
func (w *writer) previewed(ctx context.Context, r PreviewLinkRequest) (int64, error) {
	item, err := w.item(ctx, r.ItemID)
	switch {
	case err != nil:
		return 0, err
	case item.Trashed:
		return 0, fault.New(fault.Conflict, "This item is in the trash. Take it out of the trash first.")
	case r.Number == 0 && item.DraftRevisionID == 0:
		return 0, fault.New(fault.Conflict, "This item has no draft. Save one first, or choose a revision.")
	case r.Number == 0:
		return 0, nil
	}
	seen, err := queries.RevisionGetNumbered(ctx, w.tx, r.ItemID, r.Number)
	if db.IsNoRows(err) {
		return 0, fault.InvalidFields(fault.Field{Name: "revision", Message: "This revision does not exist. Choose another one."})
	}
	if err != nil {
		return 0, fmt.Errorf("reading revision %d of item %d: %w", r.Number, r.ItemID, err)
	}
	was, err := queries.RevisionWasPublished(ctx, w.tx, r.ItemID, seen.ID)
	if err != nil {
		return 0, fmt.Errorf("finding out whether revision %d was published: %w", seen.ID, err)
	}
	if was {
		return 0, fault.InvalidFields(fault.Field{Name: "revision", Message: "This revision was published already. Choose one that was not."})
	}
	return seen.ID, nil
}

// RevokePreviewLink ends a preview link of an item.
func RevokePreviewLink(ctx context.Context, b db.Beginner, actor Actor, itemID, id int64) error {
	return writeItem(ctx, b, actor, itemID, func(w *writer) error {
		_, err := queries.PreviewLinkGet(ctx, w.tx, itemID, id)
		if err != nil {
			return db.Absent(err, fault.New(fault.NotFound, "This preview link does not exist."), "reading preview link %d", id)
		}
		revoked, err := writes.PreviewLinkUpdateRevoked(ctx, w.tx, id)
		if err != nil {
			return fmt.Errorf("revoking preview link %d: %w", id, err)
		}
		if !revoked {
			return fault.New(fault.Conflict, "This preview link is revoked already.")
		}
		return w.record(ctx, "preview_link.revoke", itemTarget(itemID), map[string]any{"link": id})
	})
}

// Preview is what a preview link shows.
type Preview struct {
	Link      models.PreviewLink
	ProductID int64
	Change    models.Change // what is shown, on top of what is published
	Live      bool          // whether it is published, so that readers find the Change at its address
}

// OpenPreviewLink returns what the link with a token shows. The error is the same
// NotFound whether the link expired, was revoked, shows nothing any more or never
// existed.
func OpenPreviewLink(ctx context.Context, q db.Querier, token string) (p Preview, err error) {
	ended := &fault.Error{Kind: fault.NotFound, Title: "This preview has ended", Message: "The preview link expired, was revoked or does not exist. Ask the person who sent it to you for a new one."}
	p.Link, err = queries.PreviewLinkGetByToken(ctx, q, sum([]byte(token)))
	if err != nil {
		return p, db.Absent(err, ended, "finding a preview link")
	}
	item, err := queries.ItemGet(ctx, q, p.Link.ItemID)
	if err != nil {
		return p, fmt.Errorf("reading item %d: %w", p.Link.ItemID, err)
	}
	shown := p.Link.RevisionID
	if shown == 0 {
		shown = item.DraftRevisionID
		p.Live = p.Link.EndedAt != nil || shown == 0
	} else if p.Live, err = queries.RevisionWasPublished(ctx, q, item.ID, shown); err != nil {
		return p, fmt.Errorf("finding out whether revision %d was published: %w", shown, err)
	}
	if item.Trashed || p.Live && !item.Public() {
		return p, ended
	}
	if p.Live {
		shown = item.LiveRevisionID
	}
	r, err := queries.RevisionGet(ctx, q, shown)
	if err != nil {
		return p, fmt.Errorf("reading revision %d: %w", shown, err)
	}
	if p.ProductID, err = queries.ItemProduct(ctx, q, item.ID); err != nil {
		return p, fmt.Errorf("finding the product of item %d: %w", item.ID, err)
	}
	p.Change = models.Change{Item: item, Action: actionUpdate, RevisionID: r.ID, Hash: r.ContentHash, Content: r.Content}
	return p, nil
}

// CountPreview counts a view of a preview link.
func CountPreview(ctx context.Context, q db.Querier, id int64) error {
	if err := writes.PreviewLinkUpdateViews(ctx, q, id); err != nil {
		return fmt.Errorf("counting a view of preview link %d: %w", id, err)
	}
	return nil
}
