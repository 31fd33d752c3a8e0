// Package webhooks renders the webhooks of an account.
package webhooks

import (
	"github.com/a-h/templ"

	"heliograph/views/channels/logs"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// WebhooksPage lists the numbers of an organisation with their webhooks.
type WebhooksPage struct {
	layout.Frame
	// Docs links to the reference of callbacks.
	Docs  ui.Link
	Live  templ.Attributes // refreshes the table
	Table ui.Table
}

// WebhookPage is a webhook: of a number, of a bot or of delivery reports.
type WebhookPage struct {
	layout.Frame
	Problem string
	State   logs.State
	Cause   *logs.Cause // of the last attempt, if it failed
	Facts   []ui.Pair
	Live    templ.Attributes // refreshes state, cause and facts
	// Edit is nil for users who may not change webhooks.
	Edit   *WebhookEdit
	Sample ui.Code // a callback as it is posted; without a text it is not shown
}

// WebhookEdit holds the forms and actions that change a webhook.
type WebhookEdit struct {
	Action  string
	Region  ui.Region // of the form
	Heading string    // of the form
	Save    string    // label of its button
	URL     ui.Input
	Headers ui.TextArea
	Forms   []ui.Select // of the events of a bot
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

// Sign adds the CSRF token to every action.
func (e *WebhookEdit) Sign(csrf string) {
	for _, list := range [][]ui.Post{e.Actions, e.Secret.Actions} {
		for i := range list {
			list[i].CSRF = csrf
		}
	}
}
