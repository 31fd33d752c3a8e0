package admin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/delivery"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// carrierSetting is a setting of a kind of carriers.
type carrierSetting struct {
	name, label, hint string
	lines             int         // of a longer text; 0 for a short one
	options           []ui.Option // of a choice
	isCheck           bool        // "true" or empty
}

// carrierKinds says what the kinds of carriers are.
var carrierKinds = map[string]string{"kannel": "Kannel gateway", "http": "HTTP gateway", delivery.KindRBM: "RCS Business Messaging agent", delivery.KindGraph: "Graph upstream"}

// carrierKind names a kind of carriers.
func carrierKind(kind string) string { return cmp.Or(carrierKinds[kind], kind) }

// carrierSettings lists the settings of each kind.
var carrierSettings = map[string][]carrierSetting{
	"kannel": {
		{name: "username", label: "User of sendsms"}, {name: "smsc", label: "SMSC", hint: "The smsc-id to route to. Kannel chooses without it."},
		{name: "entity_tlv", label: "TLV of the DLT entity", hint: "The name of its smpp-tlv group."}, {name: "template_tlv", label: "TLV of the DLT template"}, {name: "marketer_tlv", label: "TLV of the telemarketer"},
	},
	"http": {
		{name: "method", label: "Method", options: []ui.Option{{Label: "POST, as usual"}, {Value: "GET", Label: "GET"}, {Value: "PUT", Label: "PUT"}, {Value: "POST", Label: "POST"}}},
		{name: "headers", label: "Headers", hint: "A line each, such as Authorization: Bearer {secret}.", lines: 3},
		{name: "body", label: "Body", hint: "Placeholders: {id}, {to}, {from}, {text}, {encoding}, {data}, {udh}, {entity_id}, {template_id}, {part}, {parts}, {seconds}, {report}, {secret} and {payload}. The address may have them, too.", lines: 6},
		{name: "content_type", label: "Content type", hint: "application/json without it. It decides how values are escaped."},
		{name: "id", label: "Place of the id", hint: "In the JSON response, such as messages.0.id."}, {name: "state", label: "Place of the state", hint: "Without it the HTTP status decides."},
		{name: "taken", label: "States of taken messages", hint: "Separated by commas."}, {name: "busy", label: "States that mean to try again", hint: "Separated by commas. All other states refuse the message."},
		{name: "idempotent", label: "Repeated ids", hint: "Then a message whose outcome is unknown is handed over again.", isCheck: true},
	},
	delivery.KindGraph: {
		{name: "numbers", label: "Numbers", hint: "A line for each number: its id here, a space and its id at the upstream.", lines: 4},
		{name: "accounts", label: "Business accounts", hint: "A line for each account: its id here, a space and its id at the upstream.", lines: 2},
		{name: "catalogues", label: "Catalogues", hint: "A line for each catalogue: its id here, a space and its id at the upstream.", lines: 2},
		{name: "version", label: "Version", hint: "In addresses of the upstream, such as v23.0. Another Heliograph has none."},
		{name: "product", label: "Word for the channel", hint: "The messaging_product that the upstream expects. It is whatsapp without it."},
		{name: "per_second", label: "Messages a second", hint: "Of one number, from 1 to 1000. It is 80 without it."},
	},
	delivery.KindRBM: {
		{name: "agents", label: "Agents", hint: "A line for each bot: its id, a space and the id of its agent.", lines: 4},
	},
}

// carrierForm holds the fields of the form that all kinds have.
type carrierForm struct {
	Name   string `form:"name"`
	Kind   string `form:"kind"`
	URL    string `form:"url"`
	Secret string `form:"secret"`
	// AccessToken and AppSecret are the secrets of a carrier of kind graph.
	AccessToken string `form:"access_token"`
	AppSecret   string `form:"app_secret"`
}

// carrierPage is what a page of a carrier shows.
type carrierPage struct {
	form     carrierForm
	settings map[string]string
	test     delivery.CarrierTest
	problems *page.Problems
	steps    []delivery.CarrierStep // of a test of a carrier of kind graph
}

// NewCarrier shows the form of a new carrier.
func (h *Handlers) NewCarrier(c echo.Context) error {
	return h.renderNewCarrier(c, http.StatusOK, carrierPage{form: carrierForm{Kind: c.QueryParam("kind")}, problems: &page.Problems{}})
}

// AddCarrier stores a new carrier.
func (h *Handlers) AddCarrier(c echo.Context) error {
	p, err := h.readCarrier(c)
	if err != nil {
		return err
	}
	if _, err = h.Carriers.Get(c.Request().Context(), p.form.Name); err == nil {
		err = fault.InvalidFields(fault.Field{Name: "name", Message: "A carrier with this name exists."})
	} else if fault.Is(err, fault.NotFound) {
		err = h.setCarrier(c, p)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			p.problems = problems
			return h.renderNewCarrier(c, status, p)
		})
	}
	return page.Done(c, carriersPath+"/"+p.form.Name, "saved")
}

// Carrier shows a carrier.
func (h *Handlers) Carrier(c echo.Context) error {
	return h.renderCarrier(c, http.StatusOK, carrierPage{problems: &page.Problems{}})
}

// SetCarrier changes a carrier.
func (h *Handlers) SetCarrier(c echo.Context) error {
	stored, err := h.Carriers.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	p, err := h.readCarrier(c)
	if err != nil {
		return err
	}
	p.form.Name, p.form.Kind = stored.Name, stored.Kind
	if err := h.setCarrier(c, p); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			p.problems = problems
			return h.renderCarrier(c, status, p)
		})
	}
	return page.Done(c, carriersPath+"/"+stored.Name, "saved")
}

func (h *Handlers) setCarrier(c echo.Context, p carrierPage) error {
	change := delivery.CarrierChange{Name: p.form.Name, Kind: p.form.Kind, URL: strings.TrimSpace(p.form.URL), Settings: p.settings, Secret: models.Secret(p.form.Secret)}
	if p.form.Kind == delivery.KindGraph {
		change.Secret, change.Secrets = "", map[string]models.Secret{"access_token": models.Secret(strings.TrimSpace(p.form.AccessToken)), "app_secret": models.Secret(strings.TrimSpace(p.form.AppSecret))}
	}
	return h.Carriers.Set(c.Request().Context(), change, page.User(c).Actor())
}

// readCarrier reads the form of a carrier. Settings that are empty are left out.
func (h *Handlers) readCarrier(c echo.Context) (p carrierPage, err error) {
	if err := page.Bind(c, &p.form); err != nil {
		return p, err
	}
	p.settings = map[string]string{}
	for name, values := range c.Request().PostForm {
		if setting, ok := strings.CutPrefix(name, "setting_"); ok && strings.TrimSpace(values[0]) != "" {
			p.settings[setting] = strings.ReplaceAll(values[0], "\r\n", "\n")
		}
	}
	return p, nil
}

// TestCarrier sends an SMS through a carrier. One of kind graph is asked about its
// settings.
func (h *Handlers) TestCarrier(c echo.Context) error {
	if stored, err := h.Carriers.Get(c.Request().Context(), c.Param("id")); err != nil || stored.Kind == delivery.KindGraph {
		if err != nil {
			return err
		}
		steps, err := h.Carriers.Check(c.Request().Context(), stored.Name, page.User(c).Actor())
		if err != nil {
			return err
		}
		return h.renderCarrier(c, http.StatusOK, carrierPage{steps: steps, problems: &page.Problems{}})
	}
	var f struct {
		Sender    string `form:"sender"`
		Recipient string `form:"recipient"`
		Text      string `form:"text"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	p := carrierPage{test: delivery.CarrierTest{Sender: f.Sender, Recipient: f.Recipient, Text: f.Text}}
	if _, err := h.Carriers.Test(c.Request().Context(), c.Param("id"), p.test, page.User(c).Actor()); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			p.problems = problems
			return h.renderCarrier(c, status, p)
		})
	}
	return page.Done(c, carriersPath+"/"+c.Param("id"), map[bool]string{true: "tested", false: "asked"}[p.test.Text != ""])
}

// EnableCarrier enables a carrier.
func (h *Handlers) EnableCarrier(c echo.Context) error { return h.switchCarrier(c, true) }

// DisableCarrier disables a carrier.
func (h *Handlers) DisableCarrier(c echo.Context) error { return h.switchCarrier(c, false) }

func (h *Handlers) switchCarrier(c echo.Context, enabled bool) error {
	if err := h.Carriers.SetEnabled(c.Request().Context(), c.Param("id"), enabled, page.User(c).Actor()); err != nil {
		return err
	}
	return page.Done(c, carriersPath+"/"+c.Param("id"), map[bool]string{true: "enabled", false: "disabled"}[enabled])
}

// ConfirmDisableCarrier asks before a carrier is disabled.
func (h *Handlers) ConfirmDisableCarrier(c echo.Context) error {
	return h.confirmCarrier(c, "Disable", "disabling", "Its messages take the next less specific route, or wait until it is enabled or they expire. New messages without another route are refused.")
}

// ConfirmRemoveCarrier asks before a carrier is removed.
func (h *Handlers) ConfirmRemoveCarrier(c echo.Context) error {
	return h.confirmCarrier(c, "Remove", "removal", "Its routes are removed as well. Messages that it has are still reported.")
}

func (h *Handlers) confirmCarrier(c echo.Context, verb, path, text string) error {
	carrier, err := h.Carriers.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	at := carriersPath + "/" + carrier.Name
	f := frame(c, verb+" "+carrier.Name, carriersPath)
	f.Up = ui.Link{Label: carrier.Name, Href: at}
	return page.Confirm(c, f, ui.Question{
		Text: text, Action: ui.Post{Action: at + "/" + path, Label: verb + " the carrier", Kind: ui.Danger}, Back: ui.Link{Label: "Keep it", Href: at},
	}, "")
}

// ConfirmRenewInbound asks before the address for SMS that people send is renewed.
func (h *Handlers) ConfirmRenewInbound(c echo.Context) error {
	carrier, err := h.Carriers.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	at := carriersPath + "/" + carrier.Name
	f := frame(c, "Renew the address of "+carrier.Name, carriersPath)
	f.Up = ui.Link{Label: carrier.Name, Href: at}
	return page.Confirm(c, f, ui.Question{
		Text:   "The present address for SMS that people send takes nothing any more. Enter the new one at the gateway at once: what it passes on in between is refused with 404.",
		Action: ui.Post{Action: at + "/renewal", Label: "Renew the address", Kind: ui.Danger}, Back: ui.Link{Label: "Keep it", Href: at},
	}, "")
}

// RenewInbound replaces the address for SMS that people send.
func (h *Handlers) RenewInbound(c echo.Context) error {
	if err := h.Carriers.RenewInboundURL(c.Request().Context(), c.Param("id"), page.User(c).Actor()); err != nil {
		return err
	}
	return page.Done(c, carriersPath+"/"+c.Param("id"), "renewed")
}

// RemoveCarrier removes a carrier with its routes.
func (h *Handlers) RemoveCarrier(c echo.Context) error {
	if err := h.Carriers.Remove(c.Request().Context(), c.Param("id"), page.User(c).Actor()); err != nil {
		return err
	}
	return page.Done(c, carriersPath, "removed")
}

func (h *Handlers) renderNewCarrier(c echo.Context, status int, state carrierPage) error {
	f := frame(c, "Add a carrier: "+carrierKind(state.form.Kind), carriersPath)
	f.Up = ui.Link{Label: "Carriers", Href: carriersPath}
	form := carrierFields(state, carriersPath, f.CSRF)
	form.Hidden = []ui.Pair{{Key: "kind", Value: state.form.Kind}}
	name := ui.Input{Name: "name", Label: "Name", Value: state.form.Name, Required: true, Hint: "Lower-case letters, digits, - and _. It cannot be changed.", Error: state.problems.Fields["name"]}
	form.Inputs = append([]ui.Input{name}, form.Inputs...)
	p := view.FormPage{Frame: f, Lead: "The carrier takes messages once a route names it.", Form: form}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.OneForm(p)})
}

// carrierFields returns the form of a carrier.
func carrierFields(state carrierPage, action, token string) view.Form {
	wrong := state.problems.Fields
	form := view.Form{Name: "carrier", Action: action, CSRF: token, Submit: "Save the carrier"}
	form.Problem = strings.TrimSpace(strings.Join([]string{state.problems.Form, wrong["settings"], wrong["kind"]}, " "))
	form.Inputs = []ui.Input{
		{Name: "url", Label: "Address", Value: state.form.URL, Required: true, Placeholder: "https://gateway.example.com/cgi-bin/sendsms", Error: wrong["url"]},
		{Name: "secret", Label: "Password or key", Masked: true, Hint: "It is stored sealed and never shown. Leave it empty to keep the stored one.", Error: wrong["secret"]},
	}
	if state.form.Kind == delivery.KindGraph {
		const keep = "It is stored sealed and never shown. Leave it empty to keep the stored one."
		form.Inputs[0].Placeholder = "https://graph.facebook.com"
		form.Inputs[1] = ui.Input{Name: "access_token", Label: "Access token", Masked: true, Hint: "Of a system user that may send from the numbers. " + keep, Error: wrong["secret"]}
		form.Inputs = append(form.Inputs, ui.Input{Name: "app_secret", Label: "App secret", Masked: true, Hint: "It signs what the upstream posts here. " + keep})
	}
	if state.form.Kind == delivery.KindRBM {
		form.Inputs[0].Placeholder = "https://rcsbusinessmessaging.googleapis.com"
		form.Inputs[1].Label, form.Inputs[1].Hint = "Key of the service account", "Its JSON file, with a member client_token added: the token of the webhook. It is stored sealed and never shown. Leave it empty to keep the stored one."
	}
	for _, s := range carrierSettings[state.form.Kind] {
		name, value := "setting_"+s.name, state.settings[s.name]
		switch {
		case s.isCheck:
			box := ui.Checks{Name: name, Label: s.label, Hint: s.hint, Options: []ui.Option{{Value: "true", Label: "The carrier takes a repeated id as the same message"}}}
			if value != "" {
				box.Values = []string{value}
			}
			form.Checks = append(form.Checks, box)
		case len(s.options) > 0:
			form.Selects = append(form.Selects, ui.Select{Name: name, Label: s.label, Value: value, Options: s.options})
		case s.lines > 0:
			form.Areas = append(form.Areas, ui.TextArea{Name: name, Label: s.label, Value: value, Hint: s.hint, Rows: s.lines, Mono: true})
		default:
			form.Inputs = append(form.Inputs, ui.Input{Name: name, Label: s.label, Value: value, Hint: s.hint})
		}
	}
	return form
}

func (h *Handlers) renderCarrier(c echo.Context, status int, state carrierPage) error {
	ctx := c.Request().Context()
	carrier, err := h.Carriers.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	health, err := h.Carriers.Health(ctx)
	if err != nil {
		return err
	}
	if state.settings == nil {
		state.form = carrierForm{Name: carrier.Name, Kind: carrier.Kind, URL: carrier.URL}
		if err := json.Unmarshal(carrier.Settings, &state.settings); err != nil {
			return fmt.Errorf("reading the settings of carrier %s: %w", carrier.Name, err)
		}
	}
	at := carriersPath + "/" + carrier.Name
	p := view.CarrierPage{Frame: frame(c, carrier.Name, carriersPath), Facts: carrierFacts(carrier, health[carrier.Name])}
	p.Up = ui.Link{Label: "Carriers", Href: carriersPath}
	p.Done = carrierDone[c.QueryParam("done")]
	p.Edit = carrierFields(state, at, p.CSRF)
	if page.User(c).Role == identity.SuperAdmin {
		address, err := h.Carriers.InboundURL(ctx, carrier.Name)
		if err != nil {
			return err
		}
		p.Actions = []ui.Link{{Label: "Remove", Href: at + "/removal"}}
		if carrier.Kind == delivery.KindGraph {
			p.Facts = append(p.Facts, ui.Pair{Key: "Callback address to enter at the upstream", Value: h.PublicURL + messaging.UpstreamPath(carrier.Name), Mono: true}, ui.Pair{Key: "Verify token to enter at the upstream", Value: h.Carriers.VerifyToken(carrier.Name), Mono: true})
		} else {
			p.Facts = append(p.Facts, ui.Pair{Key: "Address for SMS that people send", Value: inboundAddress(carrier, address), Mono: true})
			p.Actions = []ui.Link{{Label: "Renew the address", Href: at + "/renewal"}, {Label: "Remove", Href: at + "/removal"}}
		}
		if carrier.DisabledAt == nil {
			p.Actions = append(p.Actions, ui.Link{Label: "Disable", Href: at + "/disabling"})
		} else {
			p.Enable = &ui.Post{Action: at + "/enabling", CSRF: p.CSRF, Label: "Enable", Kind: ui.Primary}
		}
		if carrier.Kind == delivery.KindRBM {
			p.Facts = append(p.Facts, ui.Pair{Key: "Webhook of its events", Value: h.PublicURL + rcs.CarrierEventPath(carrier.Name), Mono: true})
		}
		test := carrierTestForm(state, at, p.CSRF)
		p.Test, p.TestTitle = &test, "Send a test message"
		if carrier.Kind == delivery.KindGraph {
			p.TestTitle, p.Steps = "Test the connection", stepTable(state.steps)
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Carrier(p)})
}

func carrierTestForm(state carrierPage, at, token string) view.Form {
	wrong := state.problems.Fields
	if state.form.Kind == delivery.KindGraph {
		return view.Form{Name: "test", Action: at + "/test", CSRF: token, Submit: "Test the connection", Quiet: true, Problem: state.problems.Form}
	}
	if state.form.Kind == delivery.KindRBM {
		return view.Form{
			Name: "test", Action: at + "/test", CSRF: token, Submit: "Ask the carrier", Quiet: true, Problem: state.problems.Form,
			Inputs: []ui.Input{
				{Name: "sender", Label: "Bot id", Value: state.test.Sender, Required: true, Error: wrong["sender"]},
				{Name: "recipient", Label: "Phone", Type: "tel", Value: state.test.Recipient, Required: true, Placeholder: "+919812345678", Hint: "Asks whether it can receive RCS from the bot. Nothing is sent.", Error: wrong["recipient"]},
			},
		}
	}
	return view.Form{
		Name: "test", Action: at + "/test", CSRF: token, Submit: "Send the message", Quiet: true, Problem: state.problems.Form,
		Inputs: []ui.Input{
			{Name: "sender", Label: "Header", Value: state.test.Sender, Required: true, Error: wrong["sender"]},
			{Name: "recipient", Label: "Recipient", Type: "tel", Value: state.test.Recipient, Required: true, Placeholder: "+919812345678", Error: wrong["recipient"]},
			{Name: "text", Label: "Text", Value: state.test.Text, Required: true, Hint: "It is sent for real, and the carrier may charge for it.", Error: wrong["text"]},
		},
	}
}

// stepTable shows the steps of a test with what was answered.
func stepTable(steps []delivery.CarrierStep) ui.Table {
	t := ui.Table{Caption: "What each step answered", Quiet: true, Columns: []ui.Column{{Label: "Step", Lead: true}, {Label: "Result"}, {Label: "Answer", Plain: true}}}
	for _, s := range steps {
		result := ui.Cell{Text: "Passed", Badge: true, Tone: ui.Good}
		if !s.Passed {
			result = ui.Cell{Text: "Failed", Badge: true, Tone: ui.Bad}
		}
		t.Rows = append(t.Rows, []ui.Cell{{Text: s.Name}, result, {Text: s.Answer}})
	}
	return t
}

func carrierFacts(c models.Carrier, now models.CarrierHealth) []ui.Pair {
	facts := []ui.Pair{
		{Key: "Kind", Value: carrierKind(c.Kind)}, {Key: "State", Value: carrierState(c).Text}, {Key: "Password or key", Value: map[bool]string{true: "Stored", false: "None"}[len(c.Secret) > 0]},
		{Key: "Handed over in the last minute", Value: strconv.Itoa(now.PerMinute)},
		{Key: "In the last hour", Value: fmt.Sprintf("%d taken, %d refused, %d put off", now.Taken, now.Refused, now.Delayed)},
	}
	if now.ErrorAt != nil {
		facts = append(facts, ui.Pair{Key: "Last error", Value: now.ErrorAt.UTC().Format("15:04 UTC") + ": " + now.Error})
	}
	return facts
}

// inboundAddress returns the address to which a carrier passes on the SMS that people
// send, with the placeholders of its kind.
func inboundAddress(c models.Carrier, url string) string {
	if c.Kind == "kannel" {
		return url + "?from=%p&to=%P&text=%b&charset=%C&id=%I"
	}
	return url + "?from=…&to=…&text=…&id=…"
}
