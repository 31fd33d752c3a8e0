package carriers

import (
	"cmp"
	"maps"
	"slices"

	"heliograph/app/channels/pipeline"
	"heliograph/views/ui"
)

// preset fills the form of a new carrier with what a provider, or a sort of gateways,
// expects.
type preset struct {
	name, kind, label string
	url               string // capital words in it are to be replaced
	address, key      string // hints of the address and of the key; may be empty
	lead              string // what else to know; may be empty
	settings          map[string]string
}

// formType is the type of a body that is sent as a form.
const formType = "application/x-www-form-urlencoded"

// presets lists the providers and the sorts of gateways, in the order of the choice.
var presets = []preset{
	{name: "kannel", kind: "kannel", label: "Kannel"},
	{
		name: "exotel", kind: "http", label: "Exotel", url: "https://api.in.exotel.com/v1/Accounts/ACCOUNT_SID/Sms/send.json",
		address: "Put your account SID in place of ACCOUNT_SID. Accounts in Singapore have the host api.exotel.com.", key: "The API key, a colon and the API token, in Base64.",
		lead: "Exotel takes the ids of the DLT with each message. Its reports are not read, so messages stay sent.",
		settings: map[string]string{
			"headers": "Authorization: Basic {secret}", "content_type": formType, "id": "SMSMessage.Sid",
			"body": "From={from}&To=%2B{to}&Body={text}&DltEntityId={entity_id}&DltTemplateId={template_id}&CustomField={id}",
		},
	},
	{
		name: "infobip", kind: "http", label: "Infobip", url: "https://BASE_URL/sms/2/text/advanced",
		address: "Put the base URL of your account in place of BASE_URL.", key: "The API key.",
		lead: "Its reports are not read, so messages stay sent.",
		settings: map[string]string{
			"headers": "Authorization: App {secret}", "id": "messages.0.messageId", "state": "messages.0.status.groupName", "taken": "PENDING, ACCEPTED, DELIVERED",
			"body": `{"messages":[{"from":"{from}","destinations":[{"to":"{to}"}],"text":"{text}","callbackData":"{id}"}]}`,
		},
	},
	{
		name: "twilio", kind: "http", label: "Twilio", url: "https://api.twilio.com/2010-04-01/Accounts/ACCOUNT_SID/Messages.json",
		address: "Put your account SID in place of ACCOUNT_SID.", key: "The account SID, a colon and the auth token, in Base64.",
		settings: map[string]string{
			"headers": "Authorization: Basic {secret}", "content_type": formType, "id": "sid", "body": "To=%2B{to}&From={from}&Body={text}&StatusCallback={report}",
		},
	},
	{
		name: "vonage", kind: "http", label: "Vonage", url: "https://rest.nexmo.com/sms/json",
		address: "The address of the SMS API.", key: "The API secret.",
		lead: "Put your API key in place of API_KEY in the body.",
		settings: map[string]string{
			"content_type": formType, "id": "messages.0.message-id", "state": "messages.0.status", "taken": "0", "busy": "1, 5",
			"body": "api_key=API_KEY&api_secret={secret}&from={from}&to={to}&text={text}&type=unicode&client-ref={id}&callback={report}",
		},
	},
	{name: "json", kind: "http", label: "Another gateway that takes JSON", settings: map[string]string{
		"headers": "Authorization: Bearer {secret}", "body": `{"to":"{to}","from":"{from}","text":"{text}","reference":"{id}"}`, "id": "id",
	}},
	{name: "form", kind: "http", label: "Another gateway that takes a form", settings: map[string]string{
		"headers": "Authorization: Bearer {secret}", "content_type": formType, "body": "to={to}&from={from}&text={text}&reference={id}", "id": "id",
	}},
	{name: "query", kind: "http", label: "Another gateway that takes a query", settings: map[string]string{"method": "GET", "headers": "Authorization: Bearer {secret}", "id": "id"}},
	{name: "rbm", kind: pipeline.KindRBM, label: "RCS Business Messaging of Google", url: "https://rcsbusinessmessaging.googleapis.com"},
	{name: "cloud", kind: pipeline.KindGraph, label: "Cloud API of business messaging", url: "https://graph.facebook.com", settings: map[string]string{"version": "v23.0"}},
	{name: "heliograph", kind: pipeline.KindGraph, label: "Another Heliograph", address: "Its address ends in /v3."},
}

// presetOf returns the preset with a name; the zero preset for an unknown name.
func presetOf(name string) preset {
	i := slices.IndexFunc(presets, func(p preset) bool { return p.name == name })
	if i < 0 {
		return preset{}
	}
	return presets[i]
}

// fill begins a page with the preset.
func (p preset) fill() carrierPage {
	settings := maps.Clone(p.settings)
	if settings == nil {
		settings = map[string]string{}
	}
	return carrierPage{form: carrierForm{Preset: p.name, Kind: p.kind, URL: p.url}, settings: settings}
}

// hints replaces the hints of the address and the key.
func (p preset) hints(inputs []ui.Input) {
	for i := range inputs {
		switch inputs[i].Name {
		case "url":
			inputs[i].Hint = cmp.Or(p.address, inputs[i].Hint)
		case "secret":
			if p.key != "" {
				inputs[i].Hint = p.key + " It is stored sealed and never shown."
			}
		}
	}
}

// providers offers the presets of the kinds that there are. A kind without a preset
// is offered itself.
func providers(kinds []string) (list []ui.Option) {
	for _, p := range presets {
		if slices.Contains(kinds, p.kind) {
			list = append(list, ui.Option{Value: p.name, Label: p.label})
		}
	}
	for _, kind := range kinds {
		if !slices.ContainsFunc(presets, func(p preset) bool { return p.kind == kind }) {
			list = append(list, ui.Option{Value: kind, Label: carrierKind(kind)})
		}
	}
	return list
}
