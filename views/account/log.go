package account

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// LogPage is the log of messages or of callbacks.
type LogPage struct {
	layout.Frame
	Lead string
	// State is the progress of what the log lists, and Next has actions for it;
	// both may be missing.
	State *State
	Next  []ui.Link
	List  ui.Listing
}

// State is a state with a sentence that explains it.
type State struct {
	Tone  ui.Tone
	Label string
	Note  string
}

// Cause is the cause of a failure and its remedy. Next may be missing.
type Cause struct {
	Title, Text, Remedy string
	Next                ui.Link
}

// MessagePage is the history of one message.
type MessagePage struct {
	layout.Frame
	// Region is the region of the details, which also open in a row of the list.
	// Open links to the page from there.
	Region      ui.Region
	Open        ui.Link
	Live        templ.Attributes // refreshes the page
	State       State
	Cause       *Cause // of a failure
	Facts       []ui.Pair
	Events      ui.Table
	Callbacks   ui.Table
	NoCallbacks string // explains why there are none
	Payload     ui.Code
	PayloadNote string
}

// DeliveryPage is one callback with its attempts.
type DeliveryPage struct {
	layout.Frame
	// Region is the region of the details, which also open in a row of the list.
	// Open links to the page from there.
	Region   ui.Region
	Open     ui.Link
	Live     templ.Attributes // refreshes the page
	Problem  string
	State    State
	Cause    *Cause // of an attempt that failed, until one succeeds
	Facts    []ui.Pair
	Replay   *ui.Post
	Attempts []Attempt
	Body     ui.Code
}

// Attempt is one attempt at a callback.
type Attempt struct {
	Heading  string
	Status   string // of the response, or empty
	Open     bool
	Facts    []ui.Pair
	Request  ui.Code
	Response ui.Code
}

// WebhooksPage lists the numbers of an organisation with their webhooks.
type WebhooksPage struct {
	layout.Frame
	// Docs links to the reference of callbacks.
	Docs  ui.Link
	Live  templ.Attributes // refreshes the table
	Table ui.Table
}

// WebhookPage is the webhook of one number.
type WebhookPage struct {
	layout.Frame
	Problem string
	State   State
	Cause   *Cause // of the last attempt, if it failed
	Facts   []ui.Pair
	Live    templ.Attributes // refreshes state, cause and facts
	// Edit is nil for users who may not change webhooks.
	Edit *WebhookEdit
}

// WebhookEdit holds the forms and actions that change a webhook.
type WebhookEdit struct {
	Action  string
	URL     ui.Input
	Headers ui.TextArea
	// Actions stand under the state. Remove is missing if no webhook is set.
	Actions []ui.Post
	Remove  ui.Ask
	Secret  SecretPart
	// Replay is the address that counts and replays callbacks, and Place where the
	// question opens. Replay is empty if no webhook is active.
	Replay string
	Place  ui.Region
	Since  ui.Input
	Which  ui.Select
}

// SecretPart shows the signing secrets and their actions.
type SecretPart struct {
	Note    string
	Shown   []ui.Code
	Actions []ui.Post
	Retire  ui.Ask // empty unless there is a previous secret
}

// UsagePage shows the messages of the last days.
type UsagePage struct {
	layout.Frame
	Lead   string
	Live   templ.Attributes // refreshes the figures
	Totals []ui.Pair
	Chart  ui.Chart
}

// Sign adds the CSRF token to every action.
func (e *WebhookEdit) Sign(csrf string) {
	for _, list := range [][]ui.Post{e.Actions, e.Secret.Actions} {
		for i := range list {
			list[i].CSRF = csrf
		}
	}
}
