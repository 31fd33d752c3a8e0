package account

import (
	"fmt"
	"strconv"

	"heliograph/db/models"
	view "heliograph/views/account"
	"heliograph/views/ui"
)

// start is the way of an organisation from a key to its first callback.
type start struct {
	overview  models.AccountOverview
	publicURL string
	word      string // the channel's name in bodies
	key       string // one just created, or empty
	csrf      string
	change    bool // the user may make keys and set webhooks
}

// The steps of the way that are done.
func (s start) hasKey() bool { return s.overview.Keys > 0 || s.hasSent() }

func (s start) hasSent() bool { return len(s.overview.Latest) > 0 }

func (s start) hasHeard() bool { return s.overview.Delivered }

func (s start) complete() bool { return s.hasKey() && s.hasSent() && s.hasHeard() }

func (s start) card() *view.Start {
	return &view.Start{Steps: []view.Step{s.keyStep(), s.sendStep(), s.hearStep()}}
}

// stage is how far a step is, by what is done of it and of those before.
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
		step.Title = "The key is made"
		step.Text = "Copy it now: it is not shown again. Keep it where your programs keep their secrets."
		step.Secret = ui.Code{Title: "API key", Language: "text", Text: s.key}
	case s.hasKey():
		step.Title = "A key is made"
		step.Text = "Programs send it with every request."
		step.Next = []ui.Link{{Label: "API keys", Href: keysPath}}
	case s.change:
		step.Text = "A program proves with a key that it sends for you. This one is for every channel."
		step.Action = ui.Post{Action: "/account/first-key", CSRF: s.csrf, Label: "Create the first key", Kind: ui.Primary}
	default:
		step.Text = "A developer or an owner of your organisation creates it."
	}
	return step
}

func (s start) sendStep() view.Step {
	step := view.Step{ID: "send", Title: "Send a message", Stage: stage(s.hasSent(), s.hasKey())}
	step.State = string(step.Stage)
	if s.hasSent() {
		m := s.overview.Latest[0]
		step.Title = "A message is accepted"
		step.Text = fmt.Sprintf("The latest, to +%s, is now %s.", m.Recipient, m.State)
		step.State += " " + m.ID.String() + " " + m.State
		step.Next = []ui.Link{{Label: "Show the message", Href: messagePath(m.ID)}}
		return step
	}
	step.Text = "Run this in a terminal. The sandbox delivers it to nobody and plays the phone that reads it."
	step.Code = ui.Code{Title: "curl", Language: "shell", Text: s.send()}
	if s.overview.PhoneNumberID == 0 {
		step.Text, step.Code = "Your organisation has no phone number yet: ask support for one.", ui.Code{}
	}
	return step
}

func (s start) hearStep() view.Step {
	step := view.Step{ID: "hear", Title: "Receive a callback", Stage: stage(s.hasHeard(), s.hasSent())}
	step.State = string(step.Stage)
	switch {
	case s.hasHeard():
		step.Title = "A callback arrived"
		step.Text = "Your endpoint answered it with success. That is the whole way."
		step.Next = []ui.Link{{Label: "Show the overview", Href: "/account"}}
	case s.overview.WebhooksFailing > 0:
		step.State += " failing"
		step.Text = "The webhook is set, but its endpoint does not answer with a status from 200 to 299. Callbacks are sent again for three days."
		step.Next = []ui.Link{{Label: "See what it answers", Href: deliveriesPath}}
	case s.overview.Webhooks > 0:
		step.State += " set"
		step.Text = "The webhook is set. Send a message, and its states are posted there within a second."
	default:
		step.Text = "Name the address of your server: what becomes of each message is posted there, signed. Until you have one, the states of a message are shown here and can be asked for at any time."
		step.Code = ui.Code{Title: "curl", Language: "shell", Text: s.listen()}
		switch {
		case s.overview.PhoneNumberID == 0:
			step.Code = ui.Code{}
		case s.change:
			step.Next = []ui.Link{{Label: "Set the webhook here", Href: webhooksPath + "/" + strconv.FormatInt(s.overview.PhoneNumberID, 10)}}
		}
	}
	return step
}

// request begins a request of the organisation's number with the key, or with
// its placeholder.
func (s start) request(operation string) string {
	key := s.key
	if key == "" {
		key = "<API_KEY>"
	}
	return fmt.Sprintf("curl %s/v3/%d/%s \\\n  -H 'apikey: %s' \\\n  -H 'Content-Type: application/json' \\\n", s.publicURL, s.overview.PhoneNumberID, operation, key)
}

// send is the request that sends a first message.
func (s start) send() string {
	return s.request("messages") + fmt.Sprintf(`  -d '{"messaging_product": %q, "to": "919812345678", "type": "template",
       "template": {"name": "hello_world", "language": {"code": "en_US"}}}'`, s.word)
}

// listen is the request that sets a webhook.
func (s start) listen() string {
	return s.request("setwebhook") + `  -d '{"webhook_url": "https://example.com/callbacks"}'`
}
