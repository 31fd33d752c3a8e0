package editorial

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Released is the notification that documentation went public.
const Released = "release"

// Publish makes a change set public in one transaction: live revisions, a
// release of each scope it touches, search rows, audit, and the notification
// that makes every process read it. With override an open change set is
// published without review, which the audit records.
func Publish(ctx context.Context, b db.Beginner, actor Actor, changeSetID int64, override bool) error {
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		set, err := queries.ChangeSetGetForUpdate(ctx, tx, changeSetID)
		if db.IsNoRows(err) {
			return fault.New(fault.NotFound, "There is no change set %d.", changeSetID)
		}
		if err != nil {
			return fmt.Errorf("reading change set %d: %w", changeSetID, err)
		}
		if err := mayPublish(set, override); err != nil {
			return err
		}
		if err := queries.ProductLock(ctx, tx, set.ProductID); err != nil {
			return fmt.Errorf("waiting for another release: %w", err)
		}
		changes, err := queries.ChangeSetItemList(ctx, tx, set.ID)
		if err != nil {
			return fmt.Errorf("reading the changes of %d: %w", set.ID, err)
		}
		scopes, err := goLive(ctx, tx, changes)
		if err != nil {
			return err
		}
		for _, scope := range scopes {
			if _, err := queries.ReleaseInsert(ctx, tx, scope, set, actor.ID); err != nil {
				return fmt.Errorf("releasing: %w", err)
			}
		}
		if err := index(ctx, tx, set.ProductID); err != nil {
			return err
		}
		return finish(ctx, tx, actor, set, override)
	})
}

func mayPublish(set models.ChangeSet, override bool) error {
	open := []string{"draft", "in_review", "changes_requested"}
	if set.State == "approved" || override && slices.Contains(open, set.State) {
		return nil
	}
	return fault.New(fault.Conflict, "Change set %d is %s: only an approved one can be published.", set.ID, strings.ReplaceAll(set.State, "_", " "))
}

// goLive moves the live pointers and returns the scopes to release: versions
// first, then the product.
func goLive(ctx context.Context, tx pgx.Tx, changes []models.Change) ([]int64, error) {
	var versions, products []int64 // a guide belongs to the scope of its product
	for _, c := range changes {
		if c.BaseID != c.Item.LiveRevisionID {
			return nil, &fault.Error{Kind: fault.Conflict, Code: "outdated",
				Message: fmt.Sprintf("The %s %s was published by somebody else after this draft began: rebase the draft.", c.Item.Kind, c.Item.Slug)}
		}
		if err := queries.ItemUpdateLive(ctx, tx, c.Item.ID, c.RevisionID); err != nil {
			return nil, fmt.Errorf("publishing %s %s: %w", c.Item.Kind, c.Item.Slug, err)
		}
		switch c.Item.Kind {
		case "product":
			products = append(products, c.Item.ID)
		case "guide":
			products = append(products, c.Item.ParentID)
		case "version":
			versions = append(versions, c.Item.ID)
		default:
			versions = append(versions, c.Item.ParentID)
		}
	}
	slices.Sort(versions)
	slices.Sort(products)
	return append(slices.Compact(versions), slices.Compact(products)...), nil
}

func finish(ctx context.Context, tx pgx.Tx, actor Actor, set models.ChangeSet, override bool) error {
	if err := queries.ChangeSetUpdateState(ctx, tx, set.ID, "published"); err != nil {
		return fmt.Errorf("closing change set %d: %w", set.ID, err)
	}
	if err := queries.ChangeSetItemUpdateClosed(ctx, tx, set.ID); err != nil {
		return fmt.Errorf("closing change set %d: %w", set.ID, err)
	}
	entry := audit.Entry{Actor: actor.Name, Action: "release.publish", Target: fmt.Sprintf("change_set:%d", set.ID),
		Details: map[string]any{"summary": set.Summary, "from": set.State, "override": override && set.State != "approved"}}
	if err := audit.Record(ctx, tx, entry); err != nil {
		return err
	}
	if err := queries.Notify(ctx, tx, Released); err != nil {
		return fmt.Errorf("telling other processes: %w", err)
	}
	return nil
}
