package editorial

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Hash identifies the exact contents and actions of a change set. Approvals
// apply to a hash.
func Hash(changes []models.Change) []byte {
	sum := sha256.New()
	for _, c := range slices.SortedFunc(slices.Values(changes), func(a, b models.Change) int { return int(a.Item.ID - b.Item.ID) }) {
		fmt.Fprintf(sum, "%d %s %q %d %x\n", c.Item.ID, c.Action, c.Slug, c.ParentID, c.Hash)
	}
	return sum.Sum(nil)
}

// isApproved reports whether the last verdict on a change set is an approval of
// its exact changes, by a reviewer who wrote none of them. Where the product lets
// authors approve their own changes, anybody's approval counts.
func isApproved(set models.ChangeSet, changes []models.Change, reviews []models.Review) bool {
	for _, r := range slices.Backward(reviews) {
		if r.Verdict == "comment" {
			continue
		}
		by := Actor{ID: r.ReviewerID}
		if r.ReviewerID == 0 {
			by = played
		}
		return r.Verdict == "approved" && bytes.Equal(r.ContentHash, Hash(changes)) && standingOf(by, set, changes)&(reviewer|ownReviewer) != 0
	}
	return false
}

// settle updates the state of a change set after its items changed. If it was
// approved or in review, it is approved when its changes are the approved ones,
// and in review otherwise.
func (w *writer) settle(ctx context.Context, setID int64) error {
	set, err := w.set(ctx, setID)
	if err != nil {
		return err
	}
	if !slices.Contains([]string{StateInReview, StateApproved, StateBlocked}, set.State) {
		return nil
	}
	approved, err := w.approved(ctx, set)
	if err != nil {
		return err
	}
	to := StateInReview
	if approved {
		to = StateApproved
	}
	if to == set.State {
		return nil
	}
	if err := writes.ChangeSetUpdateState(ctx, w.tx, set.ID, to); err != nil {
		return fmt.Errorf("moving change set %d: %w", set.ID, err)
	}
	return w.record(ctx, "change_set.settle", setTarget(set.ID), map[string]any{"from": set.State, "to": to})
}

func (w *writer) approved(ctx context.Context, set models.ChangeSet) (bool, error) {
	changes, err := w.changes(ctx, set.ID)
	if err != nil {
		return false, err
	}
	reviews, err := queries.ReviewList(ctx, w.tx, set.ID)
	if err != nil {
		return false, fmt.Errorf("reading the reviews of change set %d: %w", set.ID, err)
	}
	return isApproved(set, changes, reviews), nil
}

func (w *writer) changes(ctx context.Context, setID int64) ([]models.Change, error) {
	changes, err := queries.ChangeSetItemList(ctx, w.tx, setID)
	if err != nil {
		return nil, fmt.Errorf("reading the changes of %d: %w", setID, err)
	}
	return changes, nil
}

// setMove is a running move of a change set.
type setMove struct {
	*writer
	set     models.ChangeSet
	changes []models.Change
	details map[string]any // for the audit
	reverts bool           // whether it reverts a release
	// overrides is true for a Super Admin who publishes in spite of refusals.
	overrides bool
	// reasons say why, by check. They are nil where nobody was asked.
	reasons map[string]string
	words   string // what the actor wrote, for the email about it
}

// move makes a move with a change set. The function do runs before the state
// changes.
func move(ctx context.Context, b db.Beginner, actor Actor, setID int64, m Move, do func(s *setMove) error) error {
	return onSet(ctx, b, actor, setID, func(s *setMove) error {
		if err := May(actor, s.set, s.changes, m); err != nil {
			return err
		}
		if err := do(s); err != nil {
			return err
		}
		if to := workflow[m].to; to != "" {
			s.details["from"], s.details["to"] = s.set.State, to
			if err := s.to(ctx, to); err != nil {
				return err
			}
		}
		action := "change_set." + string(m)
		if m == MovePublish || m == MoveOverride {
			action = "release.publish"
		}
		if err := s.record(ctx, action, setTarget(setID), s.details); err != nil {
			return err
		}
		return s.notice(ctx, s.set, noticed[m], s.words)
	})
}

// onSet runs do with a change set of a product that the actor may edit.
func onSet(ctx context.Context, b db.Beginner, actor Actor, setID int64, do func(s *setMove) error) error {
	known, err := queries.ChangeSetGet(ctx, b, setID)
	if err != nil {
		return db.Absent(err, fault.New(fault.NotFound, "There is no change set %d.", setID), "reading change set %d", setID)
	}
	return write(ctx, b, actor, known.ProductID, func(w *writer) error {
		s := &setMove{writer: w, details: map[string]any{}}
		if s.set, err = w.set(ctx, setID); err != nil {
			return err
		}
		if s.changes, err = w.changes(ctx, setID); err != nil {
			return err
		}
		return do(s)
	})
}

func (s *setMove) to(ctx context.Context, state string) error {
	if state == StateScheduled {
		return nil // with its time, by Schedule
	}
	if err := writes.ChangeSetUpdateState(ctx, s.tx, s.set.ID, state); err != nil {
		return fmt.Errorf("moving change set %d: %w", s.set.ID, err)
	}
	if state != StateRejected && state != StateWithdrawn {
		return nil
	}
	if err := writes.ChangeSetItemUpdateClosed(ctx, s.tx, s.set.ID, false); err != nil {
		return fmt.Errorf("closing change set %d: %w", s.set.ID, err)
	}
	return nil
}

// Submit requests a review of a change set. The summary describes the changes.
func Submit(ctx context.Context, b db.Beginner, actor Actor, setID int64, summary string) error {
	if err := checkText("summary", "Say in a sentence what changes, for those who review it.", &summary); err != nil {
		return err
	}
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		err := move(ctx, tx, actor, setID, MoveSubmit, func(s *setMove) error {
			if len(s.changes) == 0 {
				return fault.New(fault.Conflict, "Change set %d changes nothing.", setID)
			}
			if err := s.guardAnswers(ctx); err != nil {
				return err
			}
			if err := s.guardChecks(ctx); err != nil {
				return err
			}
			s.details["summary"], s.words = summary, summary
			if err := writes.ChangeSetUpdateSummary(ctx, s.tx, setID, summary); err != nil {
				return fmt.Errorf("submitting change set %d: %w", setID, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
		return playReviewer(ctx, tx, actor, setID)
	})
}

// Comment comments on a change set.
func Comment(ctx context.Context, b db.Beginner, actor Actor, setID int64, text string) error {
	return review(ctx, b, actor, setID, verdict{MoveComment, "comment", text, "Write something."})
}

// RequestChanges sends a change set back to its author, with the reason.
func RequestChanges(ctx context.Context, b db.Beginner, actor Actor, setID int64, reason string) error {
	return review(ctx, b, actor, setID, verdict{MoveRequestChanges, "changes_requested", reason, "Say what must change, for its author."})
}

// Reject closes a change set for good, with the reason. Its revisions stay.
func Reject(ctx context.Context, b db.Beginner, actor Actor, setID int64, reason string) error {
	return review(ctx, b, actor, setID, verdict{MoveReject, "rejected", reason, "Say why, for its author."})
}

// Approve approves a change set as its reviewer saw it: hash is the result of
// [Hash] at that time. If it changed since, the error is a Conflict with code
// changed.
func Approve(ctx context.Context, b db.Beginner, actor Actor, setID int64, hash []byte) error {
	return move(ctx, b, actor, setID, MoveApprove, func(s *setMove) error {
		now := Hash(s.changes)
		if !bytes.Equal(now, hash) {
			return &fault.Error{Kind: fault.Conflict, Code: "changed", Message: fmt.Sprintf("Change set %d changed after you opened it: look at it again.", setID)}
		}
		s.details["hash"] = fmt.Sprintf("%x", now)
		return s.say(ctx, "approved", "")
	})
}

// verdict is a review in words.
type verdict struct {
	move                Move
	name, reason, empty string
}

func review(ctx context.Context, b db.Beginner, actor Actor, setID int64, v verdict) error {
	if err := checkText("reason", v.empty, &v.reason); err != nil {
		return err
	}
	return move(ctx, b, actor, setID, v.move, func(s *setMove) error {
		s.details["reason"], s.words = v.reason, v.reason
		if v.move == MoveRequestChanges {
			if err := s.adoptDrafts(ctx); err != nil {
				return err
			}
		}
		return s.say(ctx, v.name, v.reason)
	})
}

func (s *setMove) say(ctx context.Context, name, reason string) error {
	r := models.Review{ReviewerID: s.reviewerID(name), Verdict: name, Reason: reason, ContentHash: Hash(s.changes)}
	if err := writes.ReviewInsert(ctx, s.tx, s.set.ID, r); err != nil {
		return fmt.Errorf("reviewing change set %d: %w", s.set.ID, err)
	}
	return nil
}

// adoptDrafts adds the drafts that were saved while the change set was
// scheduled.
func (s *setMove) adoptDrafts(ctx context.Context) error {
	if err := writes.ChangeSetItemUpdateHead(ctx, s.tx, s.set.ID); err != nil {
		return fmt.Errorf("taking up the drafts of change set %d: %w", s.set.ID, err)
	}
	return s.requestChecks(ctx, s.set.ID)
}

// Withdraw returns a change set to draft.
func Withdraw(ctx context.Context, b db.Beginner, actor Actor, setID int64) error {
	return move(ctx, b, actor, setID, MoveWithdraw, func(s *setMove) error { return s.adoptDrafts(ctx) })
}

// Discard closes a change set that is in draft or was sent back. Its revisions
// stay in the history of their items.
func Discard(ctx context.Context, b db.Beginner, actor Actor, setID int64) error {
	return move(ctx, b, actor, setID, MoveDiscard, func(*setMove) error { return nil })
}

// Split moves items of a change set into a new one of the same author, in
// draft, and returns its id. The remaining items lose their approval, because
// it was for all of them.
func Split(ctx context.Context, b db.Beginner, actor Actor, setID int64, itemIDs []int64) (id int64, err error) {
	err = move(ctx, b, actor, setID, MoveSplit, func(s *setMove) error {
		if len(itemIDs) == 0 || len(itemIDs) >= len(s.changes) {
			return fault.New(fault.Invalid, "Choose some of the items of change set %d, not all.", setID)
		}
		if id, err = writes.ChangeSetInsert(ctx, s.tx, s.productID, s.set.Summary, s.set.AuthorID); err != nil {
			return fmt.Errorf("opening a change set: %w", err)
		}
		moved, err := writes.ChangeSetItemMove(ctx, s.tx, setID, id, itemIDs)
		if err != nil {
			return fmt.Errorf("splitting change set %d: %w", setID, err)
		}
		if int(moved) != len(itemIDs) {
			return fault.New(fault.NotFound, "One of the items is not in change set %d.", setID)
		}
		if err := writes.ReviewThreadMove(ctx, s.tx, setID, id, itemIDs); err != nil {
			return fmt.Errorf("splitting the threads of change set %d: %w", setID, err)
		}
		s.details["into"] = id
		for _, set := range []int64{setID, id} {
			if err := s.requestChecks(ctx, set); err != nil {
				return err
			}
		}
		return s.settle(ctx, setID)
	})
	return id, err
}
