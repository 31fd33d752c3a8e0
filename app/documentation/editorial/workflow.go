package editorial

import (
	"context"
	"fmt"
	"slices"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	peoplequeries "heliograph/db/queries/people"
)

// Move is an action on a change set.
type Move string

// The moves of a change set.
const (
	MoveEdit           Move = "edit"            // save drafts in it, add and remove items
	MoveSubmit         Move = "submit"          // ask for a review
	MoveComment        Move = "comment"         //
	MoveAccept         Move = "accept"          // give a breaking change its reason
	MoveRequestChanges Move = "request_changes" // send it back with a reason
	MoveApprove        Move = "approve"         //
	MoveWithdraw       Move = "withdraw"        // take it back to draft
	MoveDiscard        Move = "discard"         // give its drafts up
	MoveReject         Move = "reject"          // close it with a reason
	MoveSplit          Move = "split"           // take items out into another
	MoveRebase         Move = "rebase"          // bring it up to what is live now
	MovePublish        Move = "publish"         // release what is approved
	MoveOverride       Move = "override"        // release what is not approved
	MoveSchedule       Move = "schedule"        // release it at a time, or at another time
	MoveCancel         Move = "cancel"          // end a schedule
	MoveResume         Move = "resume"          // draft what was rejected or discarded once more
)

// The states of a change set. The last three are its end.
const (
	StateDraft            = "draft"
	StateInReview         = "in_review"
	StateChangesRequested = "changes_requested"
	StateApproved         = "approved"
	StateScheduled        = "scheduled"
	StateBlocked          = "blocked" // a scheduled release did not happen
	StatePublished        = "published"
	StateRejected         = "rejected"
	StateWithdrawn        = "withdrawn"
)

// standing is the relation of an actor to a change set. All of these may edit
// the product.
type standing int

const (
	author      standing = 1 << iota // opened it
	reviewer                         // a person who wrote nothing of it
	person                           // whoever is not the program
	superAdmin                       //
	program                          // the program itself
	ownReviewer                      // a person, where the product lets authors approve their own changes, or for practice
	anybody     = person | program
)

// workflow is the state machine: the states that a move starts from, the state
// that it results in (empty keeps the state) and the actors that may make it.
// For edits and approvals see settle.
var workflow = map[Move]struct {
	from []string
	to   string
	who  standing
}{
	MoveEdit:           {from: []string{StateDraft, StateInReview, StateChangesRequested, StateApproved, StateScheduled, StateBlocked}, who: author},
	MoveSubmit:         {from: []string{StateDraft, StateChangesRequested}, to: StateInReview, who: author | superAdmin | program},
	MoveComment:        {from: []string{StateDraft, StateInReview, StateChangesRequested, StateApproved, StateScheduled, StateBlocked}, who: person},
	MoveAccept:         {from: []string{StateDraft, StateInReview, StateChangesRequested, StateApproved, StateScheduled, StateBlocked}, who: person},
	MoveRequestChanges: {from: []string{StateInReview, StateApproved}, to: StateChangesRequested, who: reviewer},
	MoveApprove:        {from: []string{StateInReview}, to: StateApproved, who: reviewer | ownReviewer},
	MoveWithdraw:       {from: []string{StateInReview, StateChangesRequested, StateApproved, StateBlocked}, to: StateDraft, who: anybody},
	MoveDiscard:        {from: []string{StateDraft, StateChangesRequested}, to: StateWithdrawn, who: author | superAdmin | program},
	MoveReject:         {from: []string{StateInReview, StateChangesRequested, StateApproved, StateBlocked}, to: StateRejected, who: reviewer | superAdmin},
	MoveSplit:          {from: []string{StateDraft, StateInReview, StateChangesRequested, StateApproved, StateBlocked}, who: author | superAdmin},
	MoveRebase:         {from: []string{StateDraft, StateInReview, StateChangesRequested, StateApproved, StateBlocked}, who: author | superAdmin},
	MovePublish:        {from: []string{StateApproved}, to: StatePublished, who: anybody},
	MoveOverride:       {from: []string{StateDraft, StateInReview, StateChangesRequested, StateApproved, StateBlocked}, to: StatePublished, who: superAdmin | program},
	MoveSchedule:       {from: []string{StateApproved, StateScheduled}, to: StateScheduled, who: person},
	MoveCancel:         {from: []string{StateScheduled, StateBlocked}, to: StateApproved, who: person},
	MoveResume:         {from: []string{StateRejected, StateWithdrawn}, who: person},
}

// May reports whether an actor may make a move with a change set, as a fault
// with the reason: Forbidden for the actor, Conflict for the state. Whether the
// actor may edit the product is checked before.
func May(actor Actor, set models.ChangeSet, changes []models.Change, move Move) error {
	rule := workflow[move]
	if rule.who&standingOf(actor, set, changes) == 0 {
		return fault.New(fault.Forbidden, "%s", refusals[move])
	}
	if !slices.Contains(rule.from, set.State) {
		return &fault.Error{Kind: fault.Conflict, Code: "wrong_state", Message: fmt.Sprintf("Change set %d is %s: it cannot be %s now.", set.ID, inWords(set.State), participles[move])}
	}
	return nil
}

func standingOf(actor Actor, set models.ChangeSet, changes []models.Change) (s standing) {
	if actor.isSystem() {
		if set.AuthorID == 0 {
			return program | author
		}
		return program
	}
	if actor.isPlayed() {
		return playedStanding(set)
	}
	s = person
	if actor.ID == set.AuthorID && actor.ID != 0 {
		s |= author
	} else if actor.ID != 0 && !slices.ContainsFunc(changes, func(c models.Change) bool { return c.AuthorID == actor.ID && c.RevisionID != c.Item.LiveRevisionID }) {
		s |= reviewer
	}
	if actor.Role == identity.SuperAdmin {
		s |= superAdmin
	}
	if set.OwnApproval || set.PracticeOf != 0 && set.PracticeOf == actor.ID {
		s |= ownReviewer
	}
	return s
}

// refusals name the actors of each move.
var refusals = map[Move]string{
	MoveEdit:           "Only its author edits a change set.",
	MoveSubmit:         "Only its author submits a change set for review.",
	MoveComment:        "Only people comment.",
	MoveAccept:         "Only people accept breaking changes.",
	MoveRequestChanges: "Somebody else must review what you wrote.",
	MoveApprove:        "Somebody else must approve what you wrote.",
	MoveDiscard:        "Only its author discards a change set.",
	MoveReject:         "Withdraw your own change set in place of rejecting it.",
	MoveSplit:          "Only its author splits a change set.",
	MoveRebase:         "Only its author rebases a change set.",
	MoveOverride:       "Only a Super Admin publishes without approval.",
	MoveSchedule:       "Only people schedule a release.",
	MoveCancel:         "Only people cancel a schedule.",
	MoveResume:         "Only people continue what was closed.",
}

var participles = map[Move]string{
	MoveEdit: "edited", MoveSubmit: "submitted", MoveComment: "commented on", MoveAccept: "accepted", MoveRequestChanges: "sent back", MoveApprove: "approved", MoveWithdraw: "withdrawn",
	MoveDiscard: "discarded", MoveReject: "rejected", MoveSplit: "split", MoveRebase: "rebased", MovePublish: "published", MoveOverride: "published", MoveSchedule: "scheduled",
	MoveCancel: "taken off a schedule", MoveResume: "continued",
}

// inWords says what a change set in a state is.
func inWords(state string) string {
	switch state {
	case StateDraft:
		return "a draft"
	case StateInReview:
		return "in review"
	case StateChangesRequested:
		return "sent back for changes"
	}
	return state
}

// MayEdit refuses actors that may not edit the documentation of a product: Viewers,
// Editors of other products, and everybody but its owner where it is for practice.
func MayEdit(ctx context.Context, q db.Querier, actor Actor, productID int64) error {
	_, err := mayEdit(ctx, q, actor, productID)
	return err
}

// mayEdit is MayEdit. It returns the owner of a practice product, zero for others.
func mayEdit(ctx context.Context, q db.Querier, actor Actor, productID int64) (practiceOf int64, err error) {
	practiceOf, err = queries.PracticeOwner(ctx, q, productID)
	if err != nil {
		return 0, fmt.Errorf("reading the owner of product %d: %w", productID, err)
	}
	switch {
	case actor.isSystem():
		return practiceOf, nil
	case practiceOf != 0:
		return practiceOf, mayPractise(actor, practiceOf)
	case actor.Role == identity.SuperAdmin:
		return 0, nil
	case actor.Role == identity.Editor:
		assigned, err := peoplequeries.ProductEditorExists(ctx, q, actor.ID, productID)
		if err != nil {
			return 0, fmt.Errorf("reading the products of an Editor: %w", err)
		}
		if assigned {
			return 0, nil
		}
		return 0, fault.New(fault.Forbidden, "You edit other products: ask a Super Admin to assign you this one.")
	}
	return 0, refuseViewer()
}

func refuseViewer() error {
	return fault.New(fault.Forbidden, "Viewers read documentation and change nothing.")
}
