package editorial

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/checks"
	"heliograph/app/documentation/sdk/builds"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// released is the notification of a release.
const released = "release"

// Publish makes a change set public in one transaction: live revisions, a
// release of each affected scope, search rows, audit, and the notification for
// all processes. Breaking changes to a Current version need a reason, see
// [AcceptChange], and checks may block, see [Policy]. With override, a Super Admin
// publishes an open change set without review and in spite of checks, which the
// audit records.
func Publish(ctx context.Context, b db.Beginner, actor Actor, changeSetID int64, override bool) error {
	m := MovePublish
	if override {
		m = MoveOverride
	}
	return move(ctx, b, actor, changeSetID, m, func(s *setMove) error {
		s.details["override"], s.overrides = override && s.set.State != StateApproved, override
		if !override {
			if err := s.checkApproved(ctx); err != nil {
				return err
			}
		}
		return s.publish(ctx)
	})
}

// ReasonField begins the name of the field that gives the reason for one blocking
// check.
const ReasonField = "reason-"

// Override is [Publish] without review, with the reason and one for each blocking check,
// by the name of the check. All of them become a comment and part of the audit. A check
// that lacks its reason is an Invalid fault with fields.
func Override(ctx context.Context, b db.Beginner, actor Actor, changeSetID int64, reason string, reasons map[string]string) error {
	text := reason
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		if check, known := checks.Get(name); known && strings.TrimSpace(reasons[name]) != "" && strings.TrimSpace(reason) != "" {
			text += "\n\n**" + check.Label + ":** " + reasons[name]
		}
	}
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		if err := Comment(ctx, tx, actor, changeSetID, text); err != nil {
			return err
		}
		return move(ctx, tx, actor, changeSetID, MoveOverride, func(s *setMove) error {
			s.details["override"], s.overrides, s.reasons = s.set.State != StateApproved, true, reasons
			if reasons == nil {
				s.reasons = map[string]string{}
			}
			return s.publish(ctx)
		})
	})
}

func (s *setMove) checkApproved(ctx context.Context) error {
	approved, err := s.approved(ctx, s.set)
	if err != nil {
		return err
	}
	if !approved {
		return &fault.Error{Kind: fault.Conflict, Code: "approval_stale", Message: fmt.Sprintf("Change set %d changed after it was approved: have it approved again.", s.set.ID)}
	}
	return nil
}

// publish makes the changes of a set public.
func (s *setMove) publish(ctx context.Context) error {
	if err := s.guard(ctx); err != nil {
		return err
	}
	if err := s.guardBreaking(ctx); err != nil {
		return err
	}
	if err := s.guardChecks(ctx); err != nil {
		return err
	}
	rows := indexer{s.writer}
	before, err := rows.read(ctx)
	if err != nil {
		return err
	}
	if err := writes.ChangeSetItemUpdateClosed(ctx, s.tx, s.set.ID, true); err != nil {
		return fmt.Errorf("closing change set %d: %w", s.set.ID, err)
	}
	if err := s.goLive(ctx); err != nil {
		return err
	}
	scopes := scopesOf(s.changes)
	for _, scope := range scopes {
		id, err := writes.ReleaseInsert(ctx, s.tx, scope, s.set, s.publisher())
		if err != nil {
			return fmt.Errorf("releasing: %w", err)
		}
		if scope != s.set.ProductID && !s.practice {
			if err := builds.RequestAll(ctx, s.tx, id); err != nil {
				return err
			}
		}
	}
	if err := rows.index(ctx, before, scopes, s.changes); err != nil {
		return err
	}
	if err := s.keepLaterDrafts(ctx); err != nil {
		return err
	}
	if err := writes.Notify(ctx, s.tx, released); err != nil {
		return fmt.Errorf("notifying other processes: %w", err)
	}
	s.details["summary"], s.details["scopes"] = s.set.Summary, scopes
	return nil
}

// publisher returns the administrator of a release. For a scheduled release it
// is the one that scheduled it.
func (s *setMove) publisher() int64 { return cmp.Or(s.actor.ID, s.set.ScheduledBy) }

// goLive moves the live pointers and addresses.
func (s *setMove) goLive(ctx context.Context) error {
	var live, revisions, shown, archived []int64
	var moves []models.Change
	for _, c := range s.changes {
		if c.Action == actionArchive {
			archived = append(archived, c.Item.ID)
			continue
		}
		live, revisions = append(live, c.Item.ID), append(revisions, c.RevisionID)
		if content.IsUnpublished(c.Item.Kind, c.Content) {
			archived = append(archived, c.Item.ID) // with the content that says so
		} else {
			shown = append(shown, c.RevisionID)
		}
		if c.Action == actionMove {
			moves = append(moves, c)
		}
	}
	if err := writes.ItemUpdateLive(ctx, s.tx, live, revisions); err != nil {
		return fmt.Errorf("publishing: %w", err)
	}
	if !s.practice {
		if err := writes.GalleryItemPublishUsed(ctx, s.tx, shown); err != nil {
			return fmt.Errorf("publishing the files of pages: %w", err)
		}
	}
	if err := writes.ItemUpdateArchived(ctx, s.tx, archived); err != nil {
		return fmt.Errorf("archiving: %w", err)
	}
	if err := s.relocate(ctx, moves); err != nil {
		return err
	}
	if err := writes.ItemRedirectDelete(ctx, s.tx, live); err != nil {
		return fmt.Errorf("publishing: %w", err)
	}
	return nil
}

// relocate moves items to their new addresses. Items may swap addresses, so
// each first takes a temporary one.
func (s *setMove) relocate(ctx context.Context, moves []models.Change) error {
	for _, c := range moves {
		if c.Item.LiveRevisionID != 0 {
			if err := writes.ItemRedirectInsert(ctx, s.tx, c.Item); err != nil {
				return fmt.Errorf("keeping the address of %s %s: %w", c.Item.Kind, c.Item.Slug, err)
			}
		}
		if err := writes.ItemUpdateAddress(ctx, s.tx, c.Item.ID, 0, fmt.Sprintf("moving.%d", c.Item.ID)); err != nil {
			return fmt.Errorf("moving %s %s: %w", c.Item.Kind, c.Item.Slug, err)
		}
	}
	for _, c := range moves {
		err := writes.ItemUpdateAddress(ctx, s.tx, c.Item.ID, c.ParentID, c.Slug)
		if db.IsUniqueViolation(err, "items_address") {
			return addressTaken(c)
		}
		if err != nil {
			return fmt.Errorf("moving %s %s: %w", c.Item.Kind, c.Item.Slug, err)
		}
	}
	return nil
}

func addressTaken(c models.Change) error {
	return &fault.Error{Kind: fault.Conflict, Code: "address_taken",
		Message: fmt.Sprintf("The %s %s cannot move to %s: another one has that address.", c.Item.Kind, c.Item.Slug, c.Slug)}
}

// scopesOf lists the scopes that changes are released with: versions first,
// then the product. Guides and archived versions are released with the product.
func scopesOf(changes []models.Change) []int64 {
	var versions, products []int64
	for _, c := range changes {
		switch c.Item.Kind {
		case "product":
			products = append(products, c.Item.ID)
		case "guide":
			products = append(products, c.Item.ParentID)
		case "version":
			if c.Action == actionArchive {
				products = append(products, c.Item.ParentID)
			} else {
				versions = append(versions, c.Item.ID)
			}
		default:
			versions = append(versions, c.Item.ParentID)
			if c.ParentID != 0 {
				versions = append(versions, c.ParentID)
			}
		}
	}
	// A version that goes is not released, whatever else of it changed.
	versions = slices.DeleteFunc(versions, func(id int64) bool {
		return slices.ContainsFunc(changes, func(c models.Change) bool { return c.Item.ID == id && c.Action == actionArchive })
	})
	slices.Sort(versions)
	slices.Sort(products)
	return append(slices.Compact(versions), slices.Compact(products)...)
}

// keepLaterDrafts moves drafts that were saved after the change set was
// scheduled into a change set of their own, based on the live revisions.
func (s *setMove) keepLaterDrafts(ctx context.Context) error {
	ids := make([]int64, len(s.changes))
	for i, c := range s.changes {
		ids[i] = c.Item.ID
	}
	heads, err := queries.ItemHeadList(ctx, s.tx, ids)
	if err != nil {
		return fmt.Errorf("looking for later drafts: %w", err)
	}
	var later []models.Change
	for _, id := range ids {
		item := heads[id].Item
		if item.DraftRevisionID == 0 || heads[id].ChangeSetID != 0 { // of somebody else, where a release is reverted
			continue
		}
		draft, err := s.revision(ctx, item.DraftRevisionID)
		if err != nil {
			return err
		}
		by := &writer{s.tx, Actor{ID: draft.AuthorID, Name: s.actor.Name}, s.productID, s.practice}
		next, err := by.forward(ctx, item, models.Revision{Content: draft.Content, Origin: draft.Origin})
		if err != nil {
			return err
		}
		later = append(later, models.Change{Item: item, Action: actionUpdate, RevisionID: next})
	}
	if len(later) == 0 {
		return nil
	}
	set, err := writes.ChangeSetInsert(ctx, s.tx, s.productID, s.set.Summary, s.set.AuthorID)
	if err != nil {
		return fmt.Errorf("opening a change set: %w", err)
	}
	return s.put(ctx, set, later)
}
