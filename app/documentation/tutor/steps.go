package tutor

import (
	"slices"

	"heliograph/app/documentation/editorial"
	"heliograph/app/lists"
	"heliograph/db/models"
)

// Target is the control that a step asks to use.
type Target int

// The targets.
const (
	ToTutor    Target = iota // nothing to use: start again, or skip the step
	ToProducts               // the list of products
	ToGuide                  // the form of the guide
	ToEndpoint               // the form of the endpoint
	ToDraft                  // the change set
	ToSubmit                 // the form that submits it
	ToAnswer                 // the comment that waits for an answer
	ToApprove                // the button that approves it
	ToPublish                // the button that publishes it
	ToLive                   // the guide as readers would see it
	ToHistory                // the history of the guide
)

// action is the one thing to do next.
type action struct {
	Text   string
	Target Target
}

// Step is a step of the tutor.
type Step struct {
	Name    string
	Title   string
	Done    bool
	Skipped bool
}

// Progress is where an administrator is.
type Progress struct {
	models.TutorState
	Steps []Step
	// Next is the place of the first open step, len(Steps) where none is open.
	Next   int
	Action action

	wrong editorial.Mismatch
}

// Example returns the field of the form with the example to correct, empty where none is
// known.
func (p *Progress) Example() string { return p.wrong.Field }

// IsFinished reports whether no step is open.
func (p *Progress) IsFinished() bool { return p.Next == len(p.Steps) }

// Done counts the steps that are done.
func (p *Progress) Done() (n int) {
	for _, s := range p.Steps {
		if s.Done {
			n++
		}
	}
	return n
}

func (p *Progress) fill() {
	for _, s := range steps {
		p.Steps = append(p.Steps, Step{Name: s.name, Title: s.title, Done: s.isDone(p), Skipped: slices.Contains(p.Skipped, s.name)})
	}
	p.Next = slices.IndexFunc(p.Steps, func(s Step) bool { return !s.Done && !s.Skipped })
	if p.Next < 0 {
		p.Next = len(p.Steps)
		return
	}
	p.Action = steps[p.Next].action(p)
}

// definition is what is known of a step.
type definition struct {
	name, title string
	isDone      func(p *Progress) bool
	action      func(p *Progress) action
}

// steps lists the steps in their order.
var steps = []definition{
	{"find", "Find your product", (*Progress).isFound, func(*Progress) action {
		return action{"Open Products in the navigation, then open “" + Name + "”. Only you see it in the list.", ToProducts}
	}},
	{"edit", "Edit a guide", func(p *Progress) bool { return p.Edited }, (*Progress).edit},
	{"correct", "Correct an example", func(p *Progress) bool { return p.Touched && p.wrong == (editorial.Mismatch{}) }, (*Progress).correct},
	{"preview", "Preview your draft", func(p *Progress) bool { return p.Previewed }, func(p *Progress) action {
		return p.inSet("Open your change set and choose “Preview as a reader”. Nobody else sees the draft.", ToDraft)
	}},
	{"submit", "Submit for review", func(p *Progress) bool { return p.Submitted }, func(p *Progress) action {
		return p.inSet("Say in a sentence what changes, then choose “Submit for review”. A reviewer reads this sentence first.", ToSubmit)
	}},
	{"answer", "Answer a request for changes", func(p *Progress) bool { return p.Answered }, (*Progress).answer},
	{"approve", "Approve as the other", func(p *Progress) bool { return p.Approved }, (*Progress).approve},
	{"publish", "Publish, and see it live", func(p *Progress) bool { return p.Published && p.Seen }, (*Progress).publish},
	{"restore", "Restore a revision", func(p *Progress) bool { return p.Restored }, (*Progress).restore},
}

// isFound reports whether somebody opened the product or has written on it.
func (p *Progress) isFound() bool { return p.Found || p.Edited || p.Touched }

// gone is the action of a step that has lost what it is about.
var gone = action{"What this step is about is no longer there. Start again, or skip the step.", ToTutor}

func (p *Progress) edit() action {
	if p.GuideID == 0 {
		return gone
	}
	return action{"The guide says “a few minutes before the appointment”. Write “60 minutes before the appointment” instead, then choose “Save the draft”.", ToGuide}
}

func (p *Progress) correct() action {
	switch {
	case p.EndpointID == 0:
		return gone
	case p.Touched:
		return action{"The example still does not match: " + p.wrong.Message + " Correct it and save the draft.", ToEndpoint}
	}
	return action{"In the example of the response, minutes_before is \"sixty\", where the schema has a number. The checks would refuse it. Write 60 without quotes, then choose “Save the draft”.", ToEndpoint}
}

// isOpen reports whether there is a change set that can still be published.
func (p *Progress) isOpen() bool {
	return p.SetID != 0 && !slices.Contains([]string{editorial.StatePublished, editorial.StateRejected, editorial.StateWithdrawn}, p.SetState)
}

// inSet is an action in the open change set. Where there is none, the guide is to be
// changed first.
func (p *Progress) inSet(text string, to Target) action {
	if p.isOpen() {
		return action{text, to}
	}
	if p.GuideID == 0 {
		return gone
	}
	return action{"You have no open change set. Change a sentence of the guide and save the draft, which opens one.", ToGuide}
}

func (p *Progress) answer() action {
	if !p.isOpen() || p.SetState == editorial.StateDraft {
		return p.inSet("Submit the change set: the reviewer answers at once.", ToSubmit)
	}
	if p.ThreadID != 0 {
		return action{"The practice reviewer, a part that the program plays, asks for a sentence about cancelled appointments. Add one to the guide and save it. Then reply to the comment.", ToAnswer}
	}
	return action{"The comment is answered. Submit the change set again.", ToSubmit}
}

func (p *Progress) approve() action {
	if p.SetState == editorial.StateDraft || p.SetState == editorial.StateChangesRequested {
		return p.inSet("Submit the change set for review first.", ToSubmit)
	}
	return p.inSet("Now you play the reviewer: choose “Approve as the practice reviewer”. On every other product, somebody else has to approve what you wrote.", ToApprove)
}

func (p *Progress) publish() action {
	switch {
	case p.Published && p.GuideID == 0:
		return gone
	case p.Published:
		return action{"Your change is released. See the guide as readers would.", ToLive}
	case p.SetState == editorial.StateDraft || p.SetState == editorial.StateChangesRequested:
		return p.inSet("Submit the change set for review first.", ToSubmit)
	case p.SetState == editorial.StateInReview:
		return p.inSet("The change set has to be approved before it can be published.", ToApprove)
	}
	return p.inSet("Choose “Publish” and confirm. Readers of other products would see the change within seconds.", ToPublish)
}

func (p *Progress) restore() action {
	if p.GuideID == 0 {
		return gone
	}
	return action{"Open revision 1 in the history of the guide and choose “Restore this revision”. It becomes a draft. On other products, Super Admins restore.", ToHistory}
}

// Outline lists the steps for somebody who has not started.
func Outline() (list []Step) {
	return lists.Map(steps, func(s definition) Step { return Step{Name: s.name, Title: s.title} })
}
