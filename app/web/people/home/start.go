package home

import (
	"cmp"
	"fmt"
	"strconv"

	"heliograph/app/phone"
	"heliograph/app/web/channels/logs"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/people/home"
	"heliograph/views/ui"
)

// start is the progress of an organisation from its first key to its first
// callback.
type start struct {
	overview  models.AccountOverview
	publicURL string
	word      string // the channel's name in bodies
	key       string // a key that was just created, or empty
	csrf      string
	change    bool // whether the user may create keys and set webhooks
}

// hasKey, hasSent and hasHeard report which steps are done.
func (s start) hasKey() bool { return s.overview.Keys > 0 || s.hasSent() }

func (s start) hasSent() bool { return len(s.overview.Latest) > 0 }

func (s start) hasHeard() bool { return s.overview.Delivered }

func (s start) complete() bool { return s.hasKey() && s.hasSent() && s.hasHeard() }

func (s start) card() *view.Start {
	return &view.Start{Steps: []view.Step{s.keyStep(), s.sendStep(), s.hearStep()}}
}

// stage returns the stage of a step. before says whether the steps before it are
// done.
func stage(done, before bool) view.Stage {
	switch {
	case done:
		return view.Done
	case before:
		return view.Now
	}
	return view.Later
}

func (s start) keyStep() view.Step {
	step := view.Step{ID: "key", Title: "Create a key", Stage: stage(s.hasKey(), true)}
	step.State = string(step.Stage)
	switch {
	case s.key != "":
		step.Title = "Your key"
		step.Text = "Copy the key now. It is not shown again. Store it with the secrets of your program."
		step.Secret = ui.Code{Title: "API key", Language: "text", Text: s.key}
	case s.hasKey():
		step.Title = "Key created"
		step.Text = "Your programs send it with every request."
		step.Next = []ui.Link{{Label: "API keys", Href: page.AccountKeysPath}}
	case s.change:
		step.Text = "Your programs need a key to send messages. This key works for every channel."
		step.Action = ui.Post{Action: "/account/first-key", CSRF: s.csrf, Label: "Create the first key", Kind: ui.Primary}
	default:
		step.Text = "A developer or an owner of your organisation can create a key."
	}
	return step
}

func (s start) sendStep() view.Step {
	step := view.Step{ID: "send", Title: "Send a message", Stage: stage(s.hasSent(), s.hasKey())}
	step.State = string(step.Stage)
	if s.hasSent() {
		m := s.overview.Latest[0]
		step.Title = "A message was accepted"
		step.Text = fmt.Sprintf("The latest message went to %s. Its status is %s.", phone.Show(m.Recipient), m.State)
		step.State += " " + m.ID.String() + " " + m.State
		step.Next = []ui.Link{{Label: "Show the message", Href: logs.MessagePath(m.ID)}}
		return step
	}
	step.Text = "Run this command in a terminal. The sandbox simulates the recipient. No message leaves it."
	step.Code = ui.Code{Title: "curl", Language: "shell", Text: s.send()}
	if s.overview.PhoneNumberID == 0 {
		step.Text, step.Code = "Your organisation has no phone number yet. Contact us to get one.", ui.Code{}
	}
	return step
}

func (s start) hearStep() view.Step {
	step := view.Step{ID: "hear", Title: "Receive a callback", Stage: stage(s.hasHeard(), s.hasSent())}
	step.State = string(step.Stage)
	switch {
	case s.hasHeard():
		step.Title = "A callback arrived"
		step.Text = "Your endpoint accepted a callback. Setup is complete."
		step.Next = []ui.Link{{Label: "Show the overview", Href: "/account"}}
	case s.overview.WebhooksFailing > 0:
		step.State += " failing"
		step.Text = "The webhook is set, but its endpoint does not respond with a status from 200 to 299. Callbacks are retried for three days."
		step.Next = append(s.secretLink(), ui.Link{Label: "Show the responses", Href: page.AccountDeliveriesPath})
	case s.overview.Webhooks > 0:
		step.State += " set"
		step.Text = "The webhook is set. Start your receiver with its signing secret, and send the message again."
		step.Next = s.secretLink()
	default:
		step.Text = "Set the URL of your server. The states of each message are posted there with a signature. Without a webhook, you find the states here and in the API."
		step.Code = ui.Code{Title: "curl", Language: "shell", Text: s.listen()}
		switch {
		case s.overview.PhoneNumberID == 0:
			step.Code = ui.Code{}
		case s.change:
			step.Next = []ui.Link{{Label: "Set the webhook", Href: page.AccountWebhooksPath + "/" + strconv.FormatInt(s.overview.PhoneNumberID, 10)}}
		}
	}
	return step
}

// secretLink returns the link to the secret that a receiver checks signatures
// with, for users who may see it.
func (s start) secretLink() []ui.Link {
	if !s.change || s.overview.PhoneNumberID == 0 {
		return nil
	}
	return []ui.Link{{Label: "Show the signing secret", Href: page.AccountWebhooksPath + "/" + strconv.FormatInt(s.overview.PhoneNumberID, 10)}}
}

// request returns the beginning of a curl command with the key or its
// placeholder.
func (s start) request(operation string) string {
	key := cmp.Or(s.key, "<API_KEY>")
	return fmt.Sprintf("curl %s/v3/%d/%s \\\n  -H 'apikey: %s' \\\n  -H 'Content-Type: application/json' \\\n", s.publicURL, s.overview.PhoneNumberID, operation, key)
}

// send returns the command that sends a first message.
func (s start) send() string {
	return s.request("messages") + fmt.Sprintf(`  -d '{"messaging_product": %q, "to": "919812345678", "type": "template",
       "template": {"name": "hello_world", "language": {"code": "en_US"}}}'`, s.word)
}

// listen returns the command that sets a webhook.
func (s start) listen() string {
	return s.request("setwebhook") + `  -d '{"webhook_url": "https://example.com/callbacks"}'`
}
