package carriers

import (
	"cmp"

	"heliograph/app/channels/pipeline"
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
var carrierKinds = map[string]string{"kannel": "Kannel gateway", "http": "HTTP gateway", pipeline.KindRBM: "RCS Business Messaging agent", pipeline.KindGraph: "Graph upstream"}

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
		{name: "taken", label: "States of taken messages", hint: "Separated by commas."}, {
			name: "busy", label: "States that mean to try again", hint: "Separated by commas. All other states refuse the message.",
		},
		{name: "idempotent", label: "Repeated ids", hint: "The gateway ignores a message id that it has already, so a message with an unknown outcome is handed over again.", isCheck: true},
	},
	pipeline.KindGraph: {
		{name: "numbers", label: "Numbers", hint: "A line for each number: its id here, a space and its id at the upstream.", lines: 4},
		{name: "accounts", label: "Business accounts", hint: "A line for each account: its id here, a space and its id at the upstream.", lines: 2},
		{name: "catalogues", label: "Catalogues", hint: "A line for each catalogue: its id here, a space and its id at the upstream.", lines: 2},
		{name: "version", label: "Version", hint: "In addresses of the upstream, such as v23.0. Another Heliograph has none."},
		{name: "product", label: "Word for the channel", hint: "The messaging_product that the upstream expects. It is whatsapp without it."},
		{name: "per_second", label: "Messages a second", hint: "Of one number, from 1 to 1000. It is 80 without it."},
	},
	pipeline.KindRBM: {
		{name: "agents", label: "Agents", hint: "A line for each bot: its id, a space and the id of its agent.", lines: 4},
	},
}
