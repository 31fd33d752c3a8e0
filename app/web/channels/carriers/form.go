package carriers

import (
	"cmp"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/pipeline"
	"heliograph/app/web/page"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

func (h *Handlers) renderNewCarrier(c echo.Context, status int, state carrierPage) error {
	chosen := presetOf(state.form.Preset)
	f := page.AdministrationFrame(c, "Add a carrier: "+cmp.Or(chosen.label, carrierKind(state.form.Kind)), page.CarriersPath).Under("Carriers", page.CarriersPath)
	form := carrierFields(state, page.CarriersPath, f.CSRF)
	form.Hidden = []ui.Pair{{Key: "kind", Value: state.form.Kind}, {Key: "preset", Value: chosen.name}}
	chosen.hints(form.Inputs)
	name := ui.Input{Name: "name", Label: "Name", Value: state.form.Name, Required: true, Hint: "Lower-case letters, digits, - and _. It cannot be changed.", Error: state.problems.Fields["name"]}
	form.Inputs = append([]ui.Input{name}, form.Inputs...)
	if state.form.Kind == "http" && state.settings["method"] == "GET" {
		form.Inputs[1].Hint = "With the fields of a message as placeholders, such as ?to={to}&from={from}&text={text}."
	}
	p := forms.FormPage{Frame: f, Lead: strings.TrimSpace(chosen.lead + " The carrier takes messages once a route names it."), Form: form}
	return page.Render(c, status, page.View{Frame: p.Page, Body: forms.OneForm(p)})
}

// carrierFields returns the form of a carrier.
func carrierFields(state carrierPage, action, token string) forms.Form {
	wrong := state.problems.Fields
	form := forms.Form{Name: "carrier", Action: action, CSRF: token, Submit: "Save the carrier"}
	form.Problem = strings.TrimSpace(strings.Join([]string{state.problems.Form, wrong["settings"], wrong["kind"]}, " "))
	form.Inputs = []ui.Input{
		{Name: "url", Label: "Address", Value: state.form.URL, Required: true, Placeholder: "https://gateway.example.com/cgi-bin/sendsms", Error: wrong["url"]},
		{Name: "secret", Label: "Password or key", Masked: true, Hint: "It is stored sealed and never shown. Leave it empty to keep the stored one.", Error: wrong["secret"]},
	}
	if state.form.Kind == pipeline.KindGraph {
		const keep = "It is stored sealed and never shown. Leave it empty to keep the stored one."
		form.Inputs[0].Placeholder = "https://graph.facebook.com"
		form.Inputs[1] = ui.Input{Name: "access_token", Label: "Access token", Masked: true, Hint: "Of a system user that may send from the numbers. " + keep, Error: wrong["secret"]}
		form.Inputs = append(form.Inputs, ui.Input{Name: "app_secret", Label: "App secret", Masked: true, Hint: "It signs what the upstream posts here. " + keep})
	}
	if state.form.Kind == pipeline.KindRBM {
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

func carrierTestForm(state carrierPage, at, token string) forms.Form {
	wrong := state.problems.Fields
	if state.form.Kind == pipeline.KindGraph {
		return forms.Form{Name: "test", Action: at + "/test", CSRF: token, Submit: "Test the connection", Quiet: true, Problem: state.problems.Form}
	}
	if state.form.Kind == pipeline.KindRBM {
		return forms.Form{
			Name: "test", Action: at + "/test", CSRF: token, Submit: "Ask the carrier", Quiet: true, Problem: state.problems.Form,
			Inputs: []ui.Input{
				{Name: "sender", Label: "Bot id", Value: state.test.Sender, Required: true, Error: wrong["sender"]},
				{
					Name: "recipient", Label: "Phone", Type: "tel", Value: state.test.Recipient, Required: true,
					Placeholder: "+919812345678", Hint: "Asks whether it can receive RCS from the bot. Nothing is sent.",
					Error: wrong["recipient"],
				},
			},
		}
	}
	return forms.Form{
		Name: "test", Action: at + "/test", CSRF: token, Submit: "Send the message", Quiet: true, Problem: state.problems.Form,
		Inputs: []ui.Input{
			{Name: "sender", Label: "Header", Value: state.test.Sender, Required: true, Error: wrong["sender"]},
			{Name: "recipient", Label: "Recipient", Type: "tel", Value: state.test.Recipient, Required: true, Placeholder: "+919812345678", Error: wrong["recipient"]},
			{Name: "text", Label: "Text", Value: state.test.Text, Required: true, Hint: "It is sent for real, and the carrier may charge for it.", Error: wrong["text"]},
		},
	}
}
