package lifecycle

import (
	"math/rand/v2"
	"slices"
	"testing"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// machine is the contract's table, written apart from the program: what each
// move makes of "verification launch".
var machine = map[Move]map[string]string{
	Submit:        {"UNVERIFIED UNLAUNCHED": "PENDING UNLAUNCHED", "REJECTED UNLAUNCHED": "PENDING UNLAUNCHED"},
	Edit:          {"REJECTED UNLAUNCHED": "UNVERIFIED UNLAUNCHED"},
	Verify:        {"PENDING UNLAUNCHED": "VERIFIED UNLAUNCHED"},
	Reject:        {"PENDING UNLAUNCHED": "REJECTED UNLAUNCHED"},
	RequestLaunch: {"VERIFIED UNLAUNCHED": "VERIFIED PENDING", "VERIFIED REJECTED": "VERIFIED PENDING"},
	Launch:        {"VERIFIED PENDING": "VERIFIED LAUNCHED"},
	RefuseLaunch:  {"VERIFIED PENDING": "VERIFIED REJECTED"},
	Suspend:       {"VERIFIED LAUNCHED": "VERIFIED SUSPENDED"},
	Resume:        {"VERIFIED SUSPENDED": "VERIFIED LAUNCHED"},
	Unlaunch:      {"VERIFIED LAUNCHED": "VERIFIED PENDING_UNLAUNCH"},
	EndLaunch:     {"VERIFIED PENDING_UNLAUNCH": "VERIFIED UNLAUNCHED"},
}

// Random moves lead where the contract says and nowhere else, with a reason
// exactly where one is due.
func TestBotMoves(t *testing.T) {
	t.Parallel()
	all := append([]Move{Submit, Edit}, Moves...)
	reasons := []Move{Reject, RefuseLaunch, Suspend}
	random := rand.New(rand.NewPCG(16, 1))
	b, seen := models.RCSBot{Verification: Unverified, Launch: Unlaunched}, map[string]bool{}
	for step := range 20_000 {
		if step%200 == 0 { // another bot
			b = models.RCSBot{Verification: Unverified, Launch: Unlaunched}
		}
		was := b.Verification + " " + b.Launch
		m, reason := all[random.IntN(len(all))], []string{"", "Too blurred"}[random.IntN(2)]
		before, want := b, machine[m][was]
		err := m.Apply(&b, reason)
		got := b.Verification + " " + b.Launch
		switch {
		case want == "":
			if !fault.Is(err, fault.Conflict) || got != was || b.Reason != before.Reason || m.IsAllowed(before) {
				t.Fatalf("step %d: %s of %s leads to %s: %v", step, m, was, got, err)
			}
		case slices.Contains(reasons, m) && reason == "":
			if !fault.Is(err, fault.Invalid) || got != was || !m.NeedsReason() {
				t.Fatalf("step %d: %s of %s without a reason leads to %s: %v", step, m, was, got, err)
			}
		default:
			if err != nil || got != want || (b.Reason != "") != slices.Contains(reasons, m) || !m.IsAllowed(before) {
				t.Fatalf("step %d: %s of %s leads to %s with %q: %v, want %s", step, m, was, got, b.Reason, err, want)
			}
		}
		if seen[got] = true; b.Launch != Unlaunched && b.Verification != Verified {
			t.Fatalf("step %d: the bot is %s", step, got)
		}
	}
	if len(seen) != 9 {
		t.Errorf("the walk has seen %d of 9 states: %v", len(seen), seen)
	}
}
