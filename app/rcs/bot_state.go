package rcs

import (
	"slices"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// The states of verification and launch.
const (
	unverified      = "UNVERIFIED"
	Pending         = "PENDING"
	verified        = "VERIFIED"
	rejected        = "REJECTED"
	unlaunched      = "UNLAUNCHED"
	Launched        = "LAUNCHED"
	suspended       = "SUSPENDED"
	pendingUnlaunch = "PENDING_UNLAUNCH"
)

// Move is a change of the state of a bot.
type Move string

// The moves. Submit and edit are the owner's, the others are made at the desk.
const (
	submit        Move = "submit"
	edit          Move = "edit"
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
	submit:        {verification: []string{unverified, rejected}, to: Pending},
	edit:          {verification: []string{rejected}, to: unverified},
	Verify:        {verification: []string{Pending}, to: verified},
	Reject:        {verification: []string{Pending}, to: rejected, reason: true},
	RequestLaunch: {verification: []string{verified}, launch: []string{unlaunched, rejected}, launchTo: Pending},
	Launch:        {verification: []string{verified}, launch: []string{Pending}, launchTo: Launched},
	RefuseLaunch:  {verification: []string{verified}, launch: []string{Pending}, launchTo: rejected, reason: true},
	Suspend:       {verification: []string{verified}, launch: []string{Launched}, launchTo: suspended, reason: true},
	Resume:        {verification: []string{verified}, launch: []string{suspended}, launchTo: Launched},
	Unlaunch:      {verification: []string{verified}, launch: []string{Launched}, launchTo: pendingUnlaunch},
	EndLaunch:     {verification: []string{verified}, launch: []string{pendingUnlaunch}, launchTo: unlaunched},
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

// apply makes a move of a bot. The reason of the state before is replaced.
func (m Move) apply(b *models.RCSBot, reason string) error {
	if !m.IsAllowed(*b) {
		return fault.New(fault.Conflict, "The bot is already %s", stateText(*b))
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

// stateText returns the state of a bot in one word: that of its verification
// until it is verified, then that of its launch.
func stateText(b models.RCSBot) string {
	if b.Verification != verified || b.Launch == unlaunched {
		return b.Verification
	}
	return b.Launch
}
