package account

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Log is a long list with what narrows it and what leads through it.
type Log struct {
	Filter ui.Filter
	// Problem says that the filter cannot be read; its fields say why.
	Problem string
	Table   ui.Table
	Paging  ui.Paging
	// Export leads to the list as a file, if there is one.
	Export ui.Link
	// Reached says how far back a filter that little passes has looked.
	Reached string
	// Empty is said in place of a table without rows.
	Empty Empty
}

// Empty says why there is nothing, and offers one next step.
type Empty struct {
	Title, Text string
	Next        ui.Link
}

// LogPage is the log of messages, or of callbacks.
type LogPage struct {
	layout.Frame
	Lead string
	// State says what became of what the log lists, Next are what to do about
	// it; both may be missing.
	State *State
	Next  []ui.Link
	Log   Log
}

// State is how something stands, in a word and a sentence.
type State struct {
	Tone  ui.Tone
	Label string
	Note  string
}

// Cause says why something failed and what to do about it. Next, which may be
// missing, leads to more.
type Cause struct {
	Title, Text, Remedy string
	Next                ui.Link
}

// MessagePage is the history of one message.
type MessagePage struct {
	layout.Frame
	State       State
	Cause       *Cause // of a failure
	Facts       []ui.Pair
	Events      ui.Table
	Callbacks   ui.Table
	NoCallbacks string // why there are none
	Payload     ui.Code
	PayloadNote string
}

// DeliveryPage is one callback with its attempts.
type DeliveryPage struct {
	layout.Frame
	Problem  string
	State    State
	Cause    *Cause // of an attempt that failed, until one succeeds
	Facts    []ui.Pair
	Replay   *ui.Post
	Again    ui.Link // shows how far it is by then, while it waits
	Attempts []Attempt
	Body     ui.Code
}

// Attempt is one try at a callback.
type Attempt struct {
	Heading  string
	Status   string // the code of the answer, or empty
	Open     bool
	Facts    []ui.Pair
	Request  ui.Code
	Response ui.Code
}

// WebhooksPage lists the numbers of an organisation with their webhooks.
type WebhooksPage struct {
	layout.Frame
	// Docs leads to the reference of callbacks.
	Docs  ui.Link
	Table ui.Table
}

// WebhookPage is the webhook of one number.
type WebhookPage struct {
	layout.Frame
	Problem string
	State   State
	Cause   *Cause // of the last attempt, while it fails
	Facts   []ui.Pair
	// Edit is nil for those who only read.
	Edit *WebhookEdit
}

// WebhookEdit is what developers change of a webhook.
type WebhookEdit struct {
	Action  string
	URL     ui.Input
	Headers ui.TextArea
	// Actions stand under the state; Remove is missing while nothing is set.
	Actions []ui.Post
	Remove  ui.Link
	Secret  SecretPart
	// Replay is where the callbacks since a time are counted and replayed, empty
	// while no webhook works.
	Replay string
	Since  ui.Input
	Which  ui.Select
}

// SecretPart shows the signing secrets and what can be done with them.
type SecretPart struct {
	Note    string
	Shown   []ui.Code
	Actions []ui.Post
}

// UsagePage is what was sent in the last days.
type UsagePage struct {
	layout.Frame
	Lead   string
	Totals []ui.Pair
	Chart  ui.Chart
}

// Mend shows what is wrong with a filter at its fields.
func (l *Log) Mend(fields map[string]string) {
	l.Problem = "This filter cannot be read. Nothing is lost: change what is marked."
	l.Filter.Region = ui.Filtered // its fields change with the answer
	for i, in := range l.Filter.Inputs {
		l.Filter.Inputs[i].Error = fields[in.Name]
	}
	for i, in := range l.Filter.Times {
		l.Filter.Times[i].Error = fields[in.Name]
	}
	for i, s := range l.Filter.Selects {
		l.Filter.Selects[i].Error = fields[s.Name]
	}
}

// Sign gives every form of the page the token without which none is accepted.
func (e *WebhookEdit) Sign(csrf string) {
	for _, list := range [][]ui.Post{e.Actions, e.Secret.Actions} {
		for i := range list {
			list[i].CSRF = csrf
		}
	}
}
