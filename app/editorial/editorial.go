// Package editorial is every write to documentation. Content lives in items
// (a product, a version, an endpoint, a guide) as immutable revisions; drafts are
// gathered in change sets and made public by a release, in one transaction.
// Seeding, importing and editing all come through here.
package editorial

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Actor is who writes.
type Actor struct {
	ID   int64  // of the administrator, zero for the program itself
	Name string // for the audit: admin:7, or system
}

// System is the program itself, when it seeds.
var System = Actor{Name: "system"}

// place is where an item belongs.
type place struct {
	kind     string
	parentID int64
	slug     string
	anew     bool // make a revision even of content that is live already
}

// save makes content the draft of the item at a place, creating the item when
// it is new. Content that is live already makes no revision: changed is false.
// An item that somebody else has a draft of is a conflict.
func save(ctx context.Context, tx pgx.Tx, actor Actor, at place, content any) (item models.Item, changed bool, err error) {
	raw, err := json.Marshal(content)
	if err != nil {
		return item, false, fmt.Errorf("writing the content of %s %s: %w", at.kind, at.slug, err)
	}
	item, err = queries.ItemGetForUpdate(ctx, tx, at.parentID, at.slug)
	if db.IsNoRows(err) {
		item, err = queries.ItemInsert(ctx, tx, at.kind, at.parentID, at.slug)
	}
	if err != nil {
		return item, false, fmt.Errorf("finding %s %s: %w", at.kind, at.slug, err)
	}
	if item.DraftRevisionID != 0 {
		return item, false, &fault.Error{Kind: fault.Conflict, Code: "draft_exists",
			Message: fmt.Sprintf("The %s %s has an open draft: publish or withdraw it first.", at.kind, at.slug)}
	}
	sum := sha256.Sum256(raw)
	if item.LiveRevisionID != 0 {
		live, err := queries.RevisionGet(ctx, tx, item.LiveRevisionID)
		if err != nil {
			return item, false, fmt.Errorf("reading the live revision of %s %s: %w", at.kind, at.slug, err)
		}
		if bytes.Equal(live.Hash, sum[:]) && !at.anew && !item.Archived {
			return item, false, nil
		}
	}
	revision := models.Revision{ItemID: item.ID, Content: raw, Hash: sum[:], BaseID: item.LiveRevisionID, AuthorID: actor.ID}
	if item.DraftRevisionID, err = queries.RevisionInsert(ctx, tx, revision); err != nil {
		return item, false, fmt.Errorf("adding a revision of %s %s: %w", at.kind, at.slug, err)
	}
	if err := queries.ItemUpdateDraft(ctx, tx, item.ID, item.DraftRevisionID); err != nil {
		return item, false, fmt.Errorf("drafting %s %s: %w", at.kind, at.slug, err)
	}
	return item, true, nil
}
