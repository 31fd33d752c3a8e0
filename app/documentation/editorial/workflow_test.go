package editorial

import (
	"fmt"
	"strings"
	"testing"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db/models"
)

// The whole state machine: each move, from where somebody may make it.
func TestWorkflow(t *testing.T) {
	t.Parallel()
	people := map[string]Actor{
		"author": {ID: 1, Role: identity.Editor}, "colleague": {ID: 2, Role: identity.Editor}, "co-author": {ID: 3, Role: identity.Editor},
		"boss": {ID: 4, Role: identity.SuperAdmin}, "boss author": {ID: 1, Role: identity.SuperAdmin}, "program": System,
	}
	open := "draft in_review changes_requested approved scheduled blocked"
	still := "draft in_review changes_requested approved blocked"
	judged := "in_review changes_requested approved blocked"
	want := map[Move]map[string]string{
		MoveEdit:           {"author": open, "boss author": open},
		MoveSubmit:         {"author": "draft changes_requested", "boss": "draft changes_requested", "boss author": "draft changes_requested", "program": "draft changes_requested"},
		MoveComment:        {"author": open, "colleague": open, "co-author": open, "boss": open, "boss author": open},
		MoveAccept:         {"author": open, "colleague": open, "co-author": open, "boss": open, "boss author": open},
		MoveRequestChanges: {"colleague": "in_review approved", "boss": "in_review approved"},
		MoveApprove:        {"colleague": "in_review", "boss": "in_review"},
		MoveWithdraw:       {"author": judged, "colleague": judged, "co-author": judged, "boss": judged, "boss author": judged, "program": judged},
		MoveDiscard:        {"author": "draft changes_requested", "boss": "draft changes_requested", "boss author": "draft changes_requested", "program": "draft changes_requested"},
		MoveReject:         {"colleague": judged, "boss": judged, "boss author": judged},
		MoveSplit:          {"author": still, "boss": still, "boss author": still},
		MoveRebase:         {"author": still, "boss": still, "boss author": still},
		MovePublish:        {"author": "approved", "colleague": "approved", "co-author": "approved", "boss": "approved", "boss author": "approved", "program": "approved"},
		MoveOverride:       {"boss": still, "boss author": still, "program": still},
		MoveSchedule:       {"author": "approved scheduled", "colleague": "approved scheduled", "co-author": "approved scheduled", "boss": "approved scheduled", "boss author": "approved scheduled"},
		MoveResume:         {"author": "rejected withdrawn", "colleague": "rejected withdrawn", "co-author": "rejected withdrawn", "boss": "rejected withdrawn", "boss author": "rejected withdrawn"},
		MoveCancel:         {"author": "scheduled blocked", "colleague": "scheduled blocked", "co-author": "scheduled blocked", "boss": "scheduled blocked", "boss author": "scheduled blocked"},
	}
	if len(want) != len(workflow) {
		t.Errorf("%d moves are tested, there are %d", len(want), len(workflow))
	}
	changes := []models.Change{{AuthorID: 1, RevisionID: 5}, {AuthorID: 3, RevisionID: 6}}
	for move, who := range want {
		for name, actor := range people {
			var states []string
			for _, state := range strings.Fields(open + " published rejected withdrawn") {
				err := May(actor, models.ChangeSet{ID: 7, AuthorID: 1, State: state}, changes, move)
				switch {
				case err == nil:
					states = append(states, state)
				case who[name] == "" && !fault.Is(err, fault.Forbidden) || who[name] != "" && fault.As(err).Code != "wrong_state" || strings.TrimSpace(err.Error()) == "":
					t.Errorf("%s by the %s from %s is refused with %v", move, name, state, err)
				}
			}
			if got := strings.Join(states, " "); got != who[name] {
				t.Errorf("%s by the %s from %q, want %q", move, name, got, who[name])
			}
		}
	}
}

// Where a product lets authors approve their own changes, everybody who may edit it
// may approve, and nothing else changes.
func TestWorkflowOfOwnApproval(t *testing.T) {
	t.Parallel()
	set := models.ChangeSet{ID: 7, AuthorID: 1, State: StateInReview, OwnApproval: true}
	changes := []models.Change{{AuthorID: 1, RevisionID: 5}}
	for move := range workflow {
		author, without := Actor{ID: 1, Role: identity.Editor}, set
		without.OwnApproval = false
		own, before := May(author, set, changes, move) == nil, May(author, without, changes, move) == nil
		if own != (before || move == MoveApprove) {
			t.Errorf("%s by the author: %t, without the setting %t", move, own, before)
		}
	}
	if May(System, set, changes, MoveApprove) == nil {
		t.Error("the program approves its own changes")
	}
}

// What the program itself drafted has nobody for its author.
func TestWorkflowOfTheProgram(t *testing.T) {
	t.Parallel()
	set := models.ChangeSet{State: StateInReview}
	for actor, want := range map[Actor]string{
		System:                             "edit withdraw split rebase override",
		{ID: 2, Role: identity.Editor}:     "comment request_changes approve withdraw reject",
		{ID: 0, Role: identity.Editor}:     "comment withdraw", // no administrator has this id
		{ID: 4, Role: identity.SuperAdmin}: "comment request_changes approve withdraw reject split rebase override",
	} {
		var moves []string
		for _, move := range strings.Fields("edit submit comment request_changes approve withdraw discard reject split rebase publish override schedule cancel") {
			if May(actor, set, nil, Move(move)) == nil {
				moves = append(moves, move)
			}
		}
		if got := strings.Join(moves, " "); got != want {
			t.Errorf("%s may %q, want %q", fmt.Sprint(actor), got, want)
		}
	}
}
