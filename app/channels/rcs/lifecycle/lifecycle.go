// Package lifecycle moves bots between the states of their verification and their
// launch.
package lifecycle

import (
	"slices"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// The states of verification and launch.
const (
	Unverified      = "UNVERIFIED"
	Pending         = "PENDING"
	Verified        = "VERIFIED"
	Rejected        = "REJECTED"
	Unlaunched      = "UNLAUNCHED"
	Launched        = "LAUNCHED"
	Suspended       = "SUSPENDED"
	pendingUnlaunch = "PENDING_UNLAUNCH"
)

// Move is a change of the state of a bot.
type Move string

// The moves. Submit and edit are the owner's, the others are made at the desk.
const (
	Submit        Move = "submit"
	Edit          Move = "edit"
	Verify        Move = "verify"
	Reject        Move = "reject"
	RequestLaunch Move = "request_launch"
	Launch        Move = "launch"
	RefuseLaunch  Move = "refuse_launch"
	Suspend       Move = "suspend"
	Resume        Move = "resume"
	Unlaunch      Move = "unlaunch"
	EndLaunch     Move = "end_launch"
)

// moves says from which states a move is made and what it leads to. An empty
// state means any, or no change.
var moves = map[Move]struct {
	verification, launch []string
	to, launchTo         string
	reason               bool // it needs one
}{
	Submit:        {verification: []string{Unverified, Rejected}, to: Pending},
	Edit:          {verification: []string{Rejected}, to: Unverified},
	Verify:        {verification: []string{Pending}, to: Verified},
	Reject:        {verification: []string{Pending}, to: Rejected, reason: true},
	RequestLaunch: {verification: []string{Verified}, launch: []string{Unlaunched, Rejected}, launchTo: Pending},
	Launch:        {verification: []string{Verified}, launch: []string{Pending}, launchTo: Launched},
	RefuseLaunch:  {verification: []string{Verified}, launch: []string{Pending}, launchTo: Rejected, reason: true},
	Suspend:       {verification: []string{Verified}, launch: []string{Launched}, launchTo: Suspended, reason: true},
	Resume:        {verification: []string{Verified}, launch: []string{Suspended}, launchTo: Launched},
	Unlaunch:      {verification: []string{Verified}, launch: []string{Launched}, launchTo: pendingUnlaunch},
	EndLaunch:     {verification: []string{Verified}, launch: []string{pendingUnlaunch}, launchTo: Unlaunched},
}

// Moves lists the moves of the desk in the order in which a bot makes them.
var Moves = []Move{Verify, Reject, RequestLaunch, Launch, RefuseLaunch, Suspend, Resume, Unlaunch, EndLaunch}

// IsAllowed reports whether a bot can make a move.
func (m Move) IsAllowed(b models.RCSBot) bool {
	rule, ok := moves[m]
	return ok && slices.Contains(rule.verification, b.Verification) && (rule.launch == nil || slices.Contains(rule.launch, b.Launch))
}

// NeedsReason reports whether a move needs a reason.
func (m Move) NeedsReason() bool { return moves[m].reason }

// Apply makes a move of a bot. The reason of the state before is replaced.
func (m Move) Apply(b *models.RCSBot, reason string) error {
	if !m.IsAllowed(*b) {
		return fault.New(fault.Conflict, "The bot is already %s", stateWord(*b))
	}
	rule := moves[m]
	if rule.reason && reason == "" {
		return fault.InvalidFields(fault.Field{Name: "reason", Message: "Enter a reason. The organisation reads it."})
	}
	if b.Reason = ""; rule.reason {
		b.Reason = reason
	}
	if rule.to != "" {
		b.Verification = rule.to
	}
	if rule.launchTo != "" {
		b.Launch = rule.launchTo
	}
	return nil
}

// stateWord returns the state of a bot in one word: the state of its verification
// until it is verified, then of its launch.
func stateWord(b models.RCSBot) string {
	if b.Verification != Verified || b.Launch == Unlaunched {
		return b.Verification
	}
	return b.Launch
}
