package pipeline

// Following is something that can happen to a message after it was accepted, with the
// events that are relayed about it. Rehearsals list them; nothing of it is stored.
type Following struct {
	ID     string // such as delivered, failed-131026 or answer-0
	Label  string
	Kind   string // FollowsState, FollowsFailure or FollowsAnswer
	Events []any  // encoded as JSON, in the order in which they are relayed
}

// The kinds of what follows.
const (
	FollowsState   = "state"
	FollowsFailure = "failure"
	FollowsAnswer  = "answer"
)
