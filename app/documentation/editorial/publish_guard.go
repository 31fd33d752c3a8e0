package editorial

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// guard refuses changes that must not be published: based on an outdated
// revision, without required fields, below an item that readers cannot see, or
// to a taken address. Whether versions compile is checked when they are
// indexed.
func (s *setMove) guard(ctx context.Context) error {
	if len(s.changes) == 0 {
		return fault.New(fault.Conflict, "Change set %d changes nothing.", s.set.ID)
	}
	parents := map[int64]models.Item{}
	for _, c := range s.changes {
		if err := s.guardChange(ctx, c, parents); err != nil {
			return err
		}
	}
	return nil
}

// guardChange is guard for one change. Parents holds those that were read.
func (s *setMove) guardChange(ctx context.Context, c models.Change, parents map[int64]models.Item) error {
	if outdated(c) {
		return &fault.Error{Kind: fault.Conflict, Code: "outdated",
			Message: fmt.Sprintf("The %s %s was published by somebody else after this draft began: rebase the change set.", c.Item.Kind, c.Item.Slug)}
	}
	if c.Item.Trashed {
		return fault.New(fault.Conflict, "The %s %s is in the trash: restore it, or take it out of the change set.", c.Item.Kind, c.Item.Slug)
	}
	if c.Action == actionArchive {
		return nil
	}
	if err := s.guardContent(ctx, c); err != nil {
		return err
	}
	if err := s.guardParent(ctx, c, parents); err != nil {
		return err
	}
	return s.guardAddress(ctx, c)
}

// Check returns why a change set could not be published now, by item; nothing
// when it could, as far as its items decide that.
func Check(ctx context.Context, b db.Beginner, setID int64) (map[int64]*fault.Error, error) {
	found := map[int64]*fault.Error{}
	err := db.InTx(ctx, b, func(tx pgx.Tx) error {
		s := &setMove{writer: &writer{tx: tx, actor: System}}
		var err error
		if s.set, err = queries.ChangeSetGet(ctx, tx, setID); err != nil {
			return fmt.Errorf("reading change set %d: %w", setID, err)
		}
		s.productID = s.set.ProductID
		if s.changes, err = s.writer.changes(ctx, setID); err != nil {
			return err
		}
		parents := map[int64]models.Item{}
		for _, c := range s.changes {
			err := s.guardChange(ctx, c, parents)
			if f := fault.As(err); f != nil {
				found[c.Item.ID] = f
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

// guardContent refuses content that is not complete. What was public before can be so
// again: a release that is reverted has what was published, and days of a version that
// cannot be are no reason against a release that leaves them as they are.
func (s *setMove) guardContent(ctx context.Context, c models.Change) error {
	if c.RevisionID == c.Item.LiveRevisionID || s.reverts {
		return nil
	}
	problems := content.Check(c.Item.Kind, c.Content)
	if len(problems) > 0 && c.Item.LiveRevisionID != 0 {
		live, err := s.revision(ctx, c.Item.LiveRevisionID)
		if err != nil {
			return err
		}
		public := content.CheckLifecycle(c.Item.Kind, live.Content)
		problems = slices.DeleteFunc(problems, func(p content.Problem) bool { return slices.Contains(public, p) })
	}
	if len(problems) == 0 {
		return nil
	}
	f := &fault.Error{Kind: fault.Conflict, Code: "incomplete", Message: fmt.Sprintf("The %s %s is not complete: %s", c.Item.Kind, c.Item.Slug, problems[0].Message)}
	for _, p := range problems {
		f.Fields = append(f.Fields, fault.Field{Name: p.Field, Message: p.Message})
	}
	return f
}

// guardParent refuses items below one that is neither public nor published with
// the same release.
func (s *setMove) guardParent(ctx context.Context, c models.Change, known map[int64]models.Item) error {
	id := destination(c.Item, c.ParentID)
	if id == 0 {
		return nil
	}
	parent, ok := known[id]
	if !ok {
		var err error
		if parent, err = s.item(ctx, id); err != nil {
			return err
		}
		known[id] = parent
	}
	public := parent.Public()
	for _, other := range s.changes {
		if other.Item.ID == id {
			public = other.Action != actionArchive && !parent.Trashed
		}
	}
	if !public {
		return &fault.Error{Kind: fault.Conflict, Code: "parent_not_live",
			Message: fmt.Sprintf("The %s %s belongs to the %s %s, which is not public: publish that first, or with it.", c.Item.Kind, c.Item.Slug, parent.Kind, parent.Slug)}
	}
	return nil
}

// guardAddress refuses a move to the address of another item, unless that one
// moves away with the same release.
func (s *setMove) guardAddress(ctx context.Context, c models.Change) error {
	if c.Action != actionMove {
		return nil
	}
	taken, err := queries.ItemGetAt(ctx, s.tx, c.Item.Kind, destination(c.Item, c.ParentID), c.Slug)
	if db.IsNoRows(err) || err == nil && (taken.ID == c.Item.ID || taken.Slug != c.Slug || taken.ParentID != destination(c.Item, c.ParentID)) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking for %s %s: %w", c.Item.Kind, c.Slug, err)
	}
	for _, other := range s.changes {
		if other.Item.ID == taken.ID && other.Action == actionMove && (other.Slug != taken.Slug || destination(taken, other.ParentID) != taken.ParentID) {
			return nil
		}
	}
	return addressTaken(c)
}
