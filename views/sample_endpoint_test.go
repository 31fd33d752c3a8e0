package views_test

import (
	"strings"

	"heliograph/views/reader"
	"heliograph/views/ui"
)

func versionPage() reader.VersionPage {
	row := func(method, label, path, summary string) reader.EndpointRow {
		return reader.EndpointRow{NavLink: reader.NavLink{Link: ui.Link{Label: label, Href: "#top"}, Method: method, Path: path}, Summary: summary}
	}
	nav := navigation()
	nav.Groups[0].Links[0].Current = false
	nav.Overview.Current = true
	p := reader.VersionPage{
		Page:        crumbed(frame("Business Messaging 2.0"), []ui.Link{{Label: "Products", Href: "/"}, {Label: "Business Messaging", Href: "/docs/business-messaging"}, {Label: "2.0", Current: true}}),
		Nav:         nav,
		Notice:      reader.Notice{Tone: ui.Warn, Title: "Version 2.0 is deprecated.", Text: "It stops answering on 30 June 2027.", Link: ui.Link{Label: "Move to version 3.0", Href: "/docs/business-messaging/3.0"}},
		Name:        "Business Messaging 2.0",
		Lifecycle:   ui.Deprecated,
		Description: "<p>Every path begins at the base URL. Bodies are JSON, times are seconds since 1970, and ids are strings of 15 or 16 digits.</p><ul><li>Send <code>Idempotency-Key</code> to make a retry safe.</li><li>Errors carry a code that says what to correct.</li></ul>",
		Servers:     []reader.Server{{URL: "https://api.example.com/v3", Note: "Production"}},
		Auth:        []reader.AuthScheme{{Name: "API key", Sends: "apikey: <API_KEY>", Note: "<p>A key belongs to one organisation.</p>"}, {Name: "Bearer", Sends: "Authorization: Bearer <API_KEY>"}},
		Schemas:     []ui.Link{{Label: "Language", Href: "/docs/business-messaging/3.0/schemas/Language"}, {Label: "Template", Href: "/docs/business-messaging/3.0/schemas/Template"}},
		Categories: []reader.Category{
			{ID: "messages", Title: "Messages", Description: "<p>Send, and mark as read.</p>", Endpoints: []reader.EndpointRow{row("POST", "Send a message", "/{phone_number_id}/messages", "Sends a template or, within a day of the last reply, a free-form message.")}},
			{ID: "media", Title: "Media", Endpoints: []reader.EndpointRow{
				row("POST", "Upload media", "/{phone_number_id}/media", "Stores a file for thirty days."),
				row("GET", "Get media information", "/{media_id}", ""),
				row("DELETE", "Delete media", "/{media_id}", ""),
				row("PUT", "Set the payload transform type", "/mgmt/api/v1/bot/config/set-payload-transform-type", "A long path."),
			}},
		},
		Published: reader.Published{On: "12 March 2026", ISO: "2026-03-12T09:00:00Z"},
	}
	p.HasNav = true
	p.Callbacks = []reader.Category{{ID: "category-callbacks", Title: "Callbacks", Size: "2", Description: "<p>What is posted to your webhook.</p>", Endpoints: []reader.EndpointRow{
		row("POST", "Message status", "", "The outcome of a message."), row("POST", "Inbound message", "", ""),
	}}}
	p.Categories[1].Endpoints[1].Deprecated = true
	p.Categories[1].Endpoints[2].Beta = true
	return p
}

func endpointPage() reader.EndpointPage {
	p := reader.EndpointPage{
		Page: crumbed(frame("Send a message – Business Messaging 3.0"), []ui.Link{{Label: "Business Messaging", Href: "/docs/business-messaging"}, {Label: "3.0", Href: "/docs/business-messaging/3.0"}, {Label: "Messages", Href: "/docs/business-messaging/3.0#messages"}, {Label: "Send a message", Current: true}}),
		Repeating: reader.Repeating{
			Key:   ui.Link{Label: "Idempotency-Key", Href: "header.Idempotency-Key"},
			Waits: []ui.Link{{Label: "400", Href: "response-400"}},
		},
		Nav:    navigation(),
		Name:   "Send a message",
		Badges: []reader.Badge{{Tone: ui.Info, Label: "Beta"}, {Label: "New in 3.0"}},
		Request: reader.RequestLine{Method: "POST", Server: "https://api.example.com/v3", Path: []reader.PathPart{
			{Text: "/"}, {Text: "{phone_number_id}", Tint: 1, Anchor: "path.phone_number_id"}, {Text: "/messages"},
		}},
		Purpose:      "<p>Sends a template message to one recipient. The reply means that the message is stored and will be carried; the outcome of it comes to your webhook as <code>sent</code>, <code>delivered</code>, <code>read</code> or <code>failed</code>.</p>",
		Auth:         []reader.AuthScheme{{Name: "API key", Sends: "apikey: <API_KEY>", Note: "<p>A key belongs to one organisation and reaches its phone numbers only.</p>", Scopes: []string{"messages.send"}}},
		Servers:      []ui.Link{{Label: "Production", Href: "?lang=curl&server=production", Current: true}, {Label: "Sandbox", Href: "?lang=curl&server=sandbox"}},
		BodyRequired: true,
		Bodies:       []reader.Body{{ID: "body.json", ContentType: "application/json", Whole: reader.Field{Type: "object", Children: messageFields()}}, {ID: "body.form", ContentType: "application/x-www-form-urlencoded", Whole: reader.Field{Type: "the same fields, flat", Children: []reader.Field{{Anchor: "body.form.to", Name: "to", Type: "string", Required: true}}}}},
		Languages:    []ui.Link{{Label: "cURL", Href: "?lang=curl", Current: true}, {Label: "JavaScript", Href: "?lang=javascript"}, {Label: "Node.js", Href: "?lang=nodejs"}, {Label: "Python", Href: "?lang=python"}, {Label: "Java", Href: "?lang=java"}, {Label: "PHP", Href: "?lang=php"}, {Label: "C#", Href: "?lang=csharp"}, {Label: "Go", Href: "?lang=go"}},
		Sample:       reader.Sample{Code: ui.Code{Title: "cURL", Language: "shell", Text: curl}},
		Calls: reader.Chooser{Label: "Request example", Name: "example", Value: "template", Action: "endpoint", Options: []ui.Option{
			{Value: "template", Label: "Template with a code"}, {Value: "text", Label: "Text"}, {Value: "no_template", Label: "400 · Bad request"},
		}},
		Statuses:  []reader.Status{{Tone: ui.Good, Link: ui.Link{Label: "200", Href: "?status=200", Current: true}}, {Tone: ui.Warn, Link: ui.Link{Label: "400", Href: "?status=400"}}, {Tone: ui.Warn, Link: ui.Link{Label: "401", Href: "?status=401"}}},
		Answer:    ui.Code{Title: "Accepted", Language: "json", Text: accepted},
		Open:      []string{"body.json", "response-200"},
		Previous:  ui.Link{Label: "Overview", Href: "/docs/business-messaging/3.0"},
		Next:      ui.Link{Label: "Upload media", Href: "/docs/business-messaging/3.0/upload-media"},
		Published: reader.Published{On: "12 March 2026", ISO: "2026-03-12T09:00:00Z"},
	}
	p.HasNav, p.Accent, p.First = true, "green", ui.Samples
	p.ParameterGroups = []reader.ParameterGroup{
		{ID: "path", Title: "Path parameters", Fields: []reader.Field{{Anchor: "path.phone_number_id", Name: "phone_number_id", Type: "string", Required: true, Tint: 1, Constraints: []string{"15 or 16 digits"}, Example: `"106540352242922"`, Description: "<p>The number that the message is sent from.</p>"}}},
		{ID: "header", Title: "Headers", Fields: []reader.Field{{Anchor: "header.Idempotency-Key", Name: "Idempotency-Key", Type: "string", Constraints: []string{"At most 255 characters"}, Description: "<p>Makes a retry safe: the same key within 24 hours answers with the first reply.</p>"}}},
	}
	p.Responses = []reader.Response{
		{Status: "200", Reason: "Accepted", Note: "<p>The message is stored.</p>", Bodies: []reader.Body{{ID: "response-200.json", ContentType: "application/json", Whole: reader.Field{Type: "object", Children: replyFields()}}}},
		failure("400", "Bad request", "A field is missing or its value is not accepted.", "Read details: it names the field."),
		failure("401", "Unauthorised", "The key is missing, revoked or wrong.", "Send a key of yours in apikey."),
		failure("403", "Forbidden", "The number belongs to somebody else.", ""),
		failure("404", "Not found", "No such phone number, or no such template in that language.", ""),
		{Status: "500", Reason: "Server error"},
	}
	return p
}

// callbackPage is the reference of what a status carries.
func callbackPage() reader.EndpointPage {
	p := endpointPage()
	p.Title = "Message status – Business Messaging 3.0"
	p.Crumbs[2], p.Crumbs[3] = ui.Link{Label: "Callbacks", Href: "/docs/business-messaging/3.0#category-callbacks"}, ui.Link{Label: "Message status", Current: true}
	p.Name, p.Callback, p.Badges = "Message status", true, []reader.Badge{{Label: "Callback"}}
	p.Guide = ui.Link{Label: "Receive callbacks", Href: "/productguide/business-messaging/receive-callbacks"}
	p.Request = reader.RequestLine{Method: "POST", Receiver: "your webhook address"}
	p.Servers, p.Auth, p.Languages, p.Repeating = nil, nil, nil, reader.Repeating{}
	p.ParameterGroups = []reader.ParameterGroup{{ID: "header", Title: "Headers", Fields: []reader.Field{
		{Anchor: "header.X-Hub-Signature-256", Name: "X-Hub-Signature-256", Type: "string", Required: true, Constraints: []string{"matches ^sha256=[0-9a-f]{64}$"}, Description: "<p>The HMAC-SHA256 of the body under your webhook secret.</p>"},
		{Anchor: "header.X-Heliograph-Delivery", Name: "X-Heliograph-Delivery", Type: "string", Required: true, Description: "<p>Names the callback, the same in every attempt.</p>"},
	}}}
	p.Sample = reader.Sample{Code: ui.Code{Title: "application/json", Language: "json", Text: accepted}}
	p.Calls = reader.Chooser{Label: "Payload example", Name: "example", Value: "delivered", Action: "callback", Options: []ui.Option{{Value: "delivered", Label: "Delivered"}, {Value: "failed", Label: "Failed"}}}
	p.Statuses, p.Answers, p.Answer, p.Open = nil, reader.Chooser{}, ui.Code{}, nil
	p.Responses = []reader.Response{{Status: "2XX", Note: "<p>You have the callback. The body is not read.</p>"}, {Status: "410", Reason: "Gone", Note: "<p>No more callbacks.</p>"}}
	return p
}

// atStatus is an endpoint's page with the response of an error.
func atStatus(p reader.EndpointPage) reader.EndpointPage {
	p.Statuses[0].Current, p.Statuses[1].Current = false, true
	p.Sample.Code.Text = "curl --request POST" + strings.Repeat(" \\\n  --data 'a=b'", 40)
	p.Calls.Value, p.Open = "no_template", []string{"body.json", "response-400"}
	p.Answer = ui.Code{Title: "Bad request", Language: "json", Text: `{"error": {"message": "(#131008) Required parameter is missing", "type": "OAuthException", "code": 131008, "error_data": {"messaging_product": "msgapp", "details": "template.name is missing"}, "fbtrace_id": "01JPXH2M7C"}}`}
	p.Answers = reader.Chooser{Label: "Response example", Name: "status", Value: "400-1", Action: "endpoint", Options: []ui.Option{{Value: "400-1", Label: "Bad request"}, {Value: "400-2", Label: "Another case"}}}
	p.Responses[0].Panel.Open, p.Responses[1].Panel.Open = false, true
	return p
}

// inPython is an endpoint's page with its samples in another language.
func inPython(p reader.EndpointPage) reader.EndpointPage {
	p.Languages[0].Current, p.Languages[3].Current = false, true
	p.Sample.Code = ui.Code{Title: "Python", Language: "python", Text: "import requests\n\nprint(requests.get(\"https://api.example.com\", headers={\"apikey\": \"<API_KEY>\"}, timeout=30).json())\n"}
	return p
}

func failure(status, reason, note, remedy string) reader.Response {
	r := reader.Response{Status: status, Reason: reason, Note: ui.HTML("<p>" + note + "</p>")}
	if remedy != "" {
		r.Errors = []reader.Fault{{Code: "131008", Cause: "A field is missing", Cases: []string{"The template has no name", "The recipient has no number"}, Remedy: remedy}, {Code: "100", Cause: "The value is not accepted"}}
	}
	r.Bodies = []reader.Body{{ID: "response-" + status + ".json", ContentType: "application/json", Whole: reader.Field{Type: "object", Children: []reader.Field{
		{Anchor: "response-" + status + ".error", Name: "error", Type: "object", Required: true, Children: []reader.Field{
			{Anchor: "response-" + status + ".error.code", Name: "code", Type: "integer", Required: true},
			{Anchor: "response-" + status + ".error.message", Name: "message", Type: "string", Required: true},
		}},
	}}}}
	if remedy != "" {
		r.Panel.Href = "?status=" + status
	}
	return r
}

func messageFields() []reader.Field {
	text := func(at string) []reader.Field {
		return []reader.Field{
			{Anchor: at + ".type", Name: "type", Type: "string", Required: true, Enum: []string{`"text"`, `"currency"`, `"date_time"`, `"image"`, `"video"`, `"document"`, `"payload"`, `"coupon_code"`}},
			{Anchor: at + ".text", Name: "text", Type: "string", Constraints: []string{"At most 1,024 characters"}, Example: `"481926"`},
		}
	}
	component := "body.template.components"
	return []reader.Field{
		{Anchor: "body.messaging_product", Name: "messaging_product", Type: "string", Required: true, Enum: []string{`"msgapp"`}},
		{Anchor: "body.recipient_type", Name: "recipient_type", Type: "string", Default: `"individual"`, Enum: []string{`"individual"`}},
		{Anchor: "body.to", Name: "to", Type: "string", Required: true, Constraints: []string{"8 to 15 digits, E.164"}, Example: `"919812345678"`, Description: "<p>The recipient’s number with its country code.</p>"},
		{Anchor: "body.preview_url", Name: "preview_url", Type: "boolean", Deprecated: true, Notes: []string{"write only"}, Default: "false"},
		{Anchor: "body.template", Name: "template", Type: "object", Schema: ui.Link{Label: "Template", Href: "/docs/business-messaging/3.0/schemas/Template"}, Required: true, Open: true, Description: "<p>An approved template of the account and the values for its placeholders.</p>", Children: []reader.Field{
			{Anchor: "body.template.name", Name: "name", Type: "string", Required: true, Example: `"sign_in_code"`},
			{Anchor: "body.template.language", Name: "language", Type: "object", Required: true, Children: []reader.Field{{Anchor: "body.template.language.code", Name: "code", Type: "string", Required: true, Example: `"en"`}}},
			{Anchor: component, Name: "components", Type: "array of object", Open: true, Constraints: []string{"At most 12 items"}, Variants: []reader.Variant{
				{ID: component + ".body", Label: "Body", Form: reader.Field{Type: "object", Description: "<p>Fills the placeholders of the text.</p>", Children: []reader.Field{
					{Anchor: component + ".body.type", Name: "type", Type: "string", Required: true, Enum: []string{`"body"`}},
					{Anchor: component + ".body.parameters", Name: "parameters", Type: "array of object", Required: true, Children: text(component + ".body.parameters")},
				}}},
				{ID: component + ".button", Label: "Button", Form: reader.Field{Type: "object", Children: []reader.Field{
					{Anchor: component + ".button.sub_type", Name: "sub_type", Type: "string", Required: true, Enum: []string{`"url"`}},
					{Anchor: component + ".button.index", Name: "index", Type: "string", Required: true, Constraints: []string{`"0" to "9"`}},
					{Anchor: component + ".button.next", Name: "fallback", Type: "object", RecursiveOf: ui.Link{Label: "Template", Href: "/docs/business-messaging/3.0/schemas/Template"}},
					{Anchor: component + ".button.style", Name: "style", Type: "object", Branch: ui.Link{Label: "Show 40 fields", Href: "?field=" + component + ".button.style#" + component + ".button.style"}},
				}}},
			}},
		}},
	}
}

func replyFields() []reader.Field {
	return []reader.Field{
		{Anchor: "response-200.messaging_product", Name: "messaging_product", Type: "string", Required: true},
		{Anchor: "response-200.contacts", Name: "contacts", Type: "array of object", Required: true, Children: []reader.Field{
			{Anchor: "response-200.contacts.input", Name: "input", Type: "string", Description: "<p>The number as you sent it.</p>"},
			{Anchor: "response-200.contacts.wa_id", Name: "wa_id", Type: "string"},
		}},
		{Anchor: "response-200.messages", Name: "messages", Type: "array of object", Required: true, Children: []reader.Field{
			{Anchor: "response-200.messages.id", Name: "id", Type: "string", Required: true, Description: "<p>Names the message in every status.</p>"},
		}},
	}
}

func schemaPage() reader.SchemaPage {
	nav := navigation()
	nav.Groups[0].Links[0].Current = false
	p := reader.SchemaPage{
		Page:      crumbed(frame("Template schema – Business Messaging 3.0"), []ui.Link{{Label: "Business Messaging", Href: "/docs/business-messaging"}, {Label: "3.0", Href: "/docs/business-messaging/3.0"}, {Label: "Template", Current: true}}),
		Nav:       nav,
		Lost:      reader.Lost{Field: "schema.language.region", Nearest: "schema.language", Whole: "schema"},
		Name:      "Template",
		Example:   ui.Code{Title: "Example", Language: "json", Text: accepted},
		Endpoints: []reader.EndpointRow{{NavLink: nav.Groups[0].Links[0], Summary: "Sends a template."}},
		Published: reader.Published{On: "12 March 2026", ISO: "2026-03-12T09:00:00Z"},
	}
	p.HasNav = true
	p.Whole = reader.Field{Type: "object", Description: "<p>A message whose text was approved.</p>", Children: []reader.Field{
		{Anchor: "schema.name", Name: "name", Type: "string", Required: true, Example: `"sign_in_code"`},
		{Anchor: "schema.language", Name: "language", Type: "object", Schema: ui.Link{Label: "Language", Href: "/docs/business-messaging/3.0/schemas/Language"}},
		{Anchor: "schema.fallback", Name: "fallback", Type: "object", RecursiveOf: ui.Link{Label: "Template", Href: "/docs/business-messaging/3.0/schemas/Template"}},
	}}
	return p
}
