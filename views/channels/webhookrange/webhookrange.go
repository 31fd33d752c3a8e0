// Package webhookrange holds the views of the webhook range: an address that takes
// callbacks for an hour, and what came in.
package webhookrange

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Page is the range of an organisation.
type Page struct {
	layout.Frame
	Problem string
	Lead    string
	// Address takes requests; without a text nothing does.
	Address  ui.Code
	Ends     []ui.Pair
	Open     *ui.Post
	Others   []ui.Post // what can be done with an address that is open
	Answer   *AnswerForm
	Test     *TestForm
	List     ui.Listing
	Compare  string    // address of the comparison; empty without two requests
	Webhooks []ui.Link // where the address can be entered
	Compared [2]ui.Select
}

// AnswerForm chooses what the range answers.
type AnswerForm struct {
	Action, CSRF  string
	Status, Delay ui.Input
	Body          ui.TextArea
	Shown         string // what it answers now
}

// TestForm sends a test event.
type TestForm struct {
	Action, CSRF string
	Groups       []Group
}

// Group is a part of the choice of a test event.
type Group struct {
	Label   string
	Options []ui.Option
}

// RequestPage is a request that came in.
type RequestPage struct {
	layout.Frame
	Problem  string
	Facts    []ui.Pair
	Headers  ui.Code
	Query    string
	Body     ui.Code
	Raw      ui.Code // the body as it came, where it is shown in another form above
	Verdict  string
	Tone     ui.Tone
	Checks   []Check
	Check    *CheckForm
	Actions  []ui.Post
	Callback ui.Link // of the relay; empty for none
}

// Check is one check of a signature.
type Check struct {
	Title, Detail string
	OK            bool
}

func (c Check) word() string {
	if c.OK {
		return "Fits"
	}
	return "Does not fit"
}

func (c Check) tone() ui.Tone {
	if c.OK {
		return ui.Good
	}
	return ui.Bad
}

// CheckForm checks a signature with another secret.
type CheckForm struct {
	Action, CSRF string
	Secret       ui.Input
}

// ComparePage shows how two requests are different.
type ComparePage struct {
	layout.Frame
	Note    string
	Headers ui.Table
	Body    ui.Code
}
