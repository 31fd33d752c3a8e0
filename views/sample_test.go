package views_test

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/people/login"
	"heliograph/views/reader"
	"heliograph/views/ui"
)

const origin = "https://docs.example.com"

const curl = `curl -X POST https://api.example.com/v3/106540352242922/messages \
  -H "apikey: <API_KEY>" \
  -H "Content-Type: application/json" \
  -d '{
    "messaging_product": "msgapp",
    "recipient_type": "individual",
    "to": "919812345678",
    "type": "template",
    "template": {
      "name": "sign_in_code",
      "language": {"code": "en"},
      "components": [
        {"type": "body", "parameters": [{"type": "text", "text": "481926"}]},
        {"type": "button", "sub_type": "url", "index": "0",
         "parameters": [{"type": "text", "text": "481926"}]}
      ]
    }
  }'`

const accepted = `{
  "messaging_product": "msgapp",
  "contacts": [
    {"input": "919812345678", "wa_id": "919812345678"}
  ],
  "messages": [
    {"id": "wamid.SGVsaW9ncmFwaA", "message_status": "accepted"}
  ]
}`

// crumbed returns a frame with breadcrumbs.
func crumbed(page layout.Page, crumbs []ui.Link) layout.Page {
	page.Crumbs = crumbs
	return page
}

func frame(title string) layout.Page {
	return layout.Page{
		Title:       title,
		Description: "How to send a template message and follow the outcome of it.",
		Canonical:   origin + "/docs/business-messaging/3.0/send-message",
		Text:        "/docs/business-messaging/3.0/send-message.md",
		Address:     origin + "/docs/business-messaging/3.0/send-message",
		Account:     ui.Link{Label: "Sign in", Href: "/login"},
		Products: []ui.Link{
			{Label: "Business Messaging", Href: "/docs/business-messaging", Current: true},
			{Label: "SMS", Href: "/docs/sms"},
			{Label: "RCS", Href: "/docs/rcs"},
			{Label: "Portal API", Href: "/docs/portal"},
		},
		Links:  []ui.Link{{Label: "Product guide", Href: "/productguide"}},
		Footer: []ui.Link{{Label: "Products", Href: "/"}, {Label: "Health", Href: "/health"}},
	}
}

func homePage() reader.HomePage {
	p := reader.HomePage{
		Page:    frame(""),
		Heading: "Send a message. Know its status.",
		Lead:    "APIs to reach people on the channels they read, documented to the last field: what to send, what comes back, and what to do when it fails.",
		Start:   "From nothing to a delivered message",
		Steps: []reader.Step{
			{Signal: "e", Title: "Get a key", Text: "Register your organisation and keep its key safe. It goes into the apikey header of every call.", Link: ui.Link{Label: "Register", Href: "/register"}},
			{Signal: "i", Title: "Make the call", Text: "Copy the sample, put your key and your numbers in. The reply carries the message's id.", Link: ui.Link{Label: "Send a message", Href: "/docs/business-messaging/3.0/send-message"}},
			{Signal: "s", Title: "Follow the message", Text: "Sent, delivered, read or failed: each status is posted to your webhook, signed.", Link: ui.Link{Label: "Set a webhook", Href: "/docs/business-messaging/3.0/set-webhook"}},
		},
		Request:   ui.Code{Title: "Send a text", Language: "shell", Text: "curl https://api.example.com/v3/106540352242922/messages \\\n  -H \"apikey: <API_KEY>\" \\\n  -d '{\n    \"messaging_product\": \"msgapp\",\n    \"to\": \"919812345678\",\n    \"type\": \"text\",\n    \"text\": {\"body\": \"Your parcel is at the door.\"}\n  }'"},
		Answer:    ui.Code{Title: "200 OK", Language: "json", Text: accepted},
		Languages: []ui.Link{{Label: "cURL", Href: "?lang=curl", Current: true}, {Label: "Go", Href: "?lang=go"}},
		Keys:      ui.Link{Label: "Register", Href: "/register"},
		Begin:     ui.Link{Label: "Send your first message", Href: "/productguide/business-messaging/send-your-first-message"},
		Guides:    guideCards()[1:],
		Endpoint:  ui.Link{Label: "Send a message", Href: "/docs/business-messaging/3.0/send-message"},
		Callbacks: ui.Link{Label: "Set a webhook", Href: "/docs/business-messaging/3.0/set-webhook"},
		Examples: []reader.GuideCard{
			{Link: ui.Link{Label: "POST /messages", Href: "/search?q=POST+%2Fmessages"}, Summary: "Send a message"},
			{Link: ui.Link{Label: "131047", Href: "/search?q=131047"}, Summary: "No conversation is open"},
		},
		Counts:    []reader.Count{{Number: "6", Noun: "products"}, {Number: "4", Noun: "versions"}, {Number: "71", Noun: "endpoints"}},
		Published: reader.Published{On: "12 March 2026", ISO: "2026-03-12T09:00:00Z"},
	}
	p.Products = []reader.ProductCard{
		{Link: ui.Link{Label: "Business Messaging", Href: "/docs/business-messaging"}, Accent: "green", Lifecycle: ui.Current, Summary: "Templates, media, webhooks, catalogues and payments on the messaging channel.", Facts: []string{"Version 3.0", "28 endpoints"}},
		{Link: ui.Link{Label: "SMS", Href: "/docs/sms"}, Accent: "blue", Lifecycle: ui.Current, Summary: "Send by JSON or query string, one-time passwords and HLR lookup.", Facts: []string{"Version 1.0", "6 endpoints"}},
		{Link: ui.Link{Label: "RCS", Href: "/docs/rcs"}, Accent: "violet", Lifecycle: ui.Beta, Summary: "Bots, templates, rich cards and carousels, with fallback.", Facts: []string{"Version 1.0", "26 endpoints"}},
		{Link: ui.Link{Label: "Portal API", Href: "/docs/portal"}, Accent: "slate", Lifecycle: ui.Current, Summary: "This documentation as data: catalogue, search and exports.", Facts: []string{"Version 1.0", "11 endpoints"}},
		{Link: ui.Link{Label: "Voice"}, Lifecycle: ui.ComingSoon, Summary: "Calls that speak, listen and connect."},
		{Link: ui.Link{Label: "Customer Data Platform"}, Lifecycle: ui.ComingSoon, Summary: "One record for each customer, across channels."},
	}
	return p
}

func productPage() reader.ProductPage {
	return reader.ProductPage{
		Page:        crumbed(frame("Business Messaging"), []ui.Link{{Label: "Products", Href: "/"}, {Label: "Business Messaging", Current: true}}),
		Name:        "Business Messaging",
		Description: "<p>Send templates and free-form messages, keep their media, and hear of every delivery by webhook.</p>",
		Reference:   ui.Link{Label: "Read the reference", Href: "/docs/business-messaging/3.0"},
		Topics: []reader.Topic{
			{Link: ui.Link{Label: "Messages", Href: "/docs/business-messaging/3.0#category-messages"}, Summary: "Send, and mark as read.", Size: "2 endpoints"},
			{Link: ui.Link{Label: "Webhooks", Href: "/docs/business-messaging/3.0#category-webhooks"}, Size: "1 endpoint"},
		},
		Versions: []reader.VersionCard{
			{Link: ui.Link{Label: "Version 3.0", Href: "/docs/business-messaging/3.0"}, Lifecycle: ui.Current, Facts: []string{"28 endpoints", "Published 12 March 2026"}},
			{Link: ui.Link{Label: "Version 2.0", Href: "/docs/business-messaging/2.0"}, Lifecycle: ui.Deprecated, Facts: []string{"19 endpoints", "Ends 30 June 2027"}},
		},
		Guides: guideCards(),
	}
}

func navigation() reader.Nav {
	link := func(method, label, slug string) reader.NavLink {
		return reader.NavLink{Link: ui.Link{Label: label, Href: "/docs/business-messaging/3.0/" + slug}, Method: method}
	}
	send := link("POST", "Send a message", "send-message")
	send.Current = true
	old := link("GET", "Get the encryption key", "get-key")
	old.Deprecated = true
	beta := link("POST", "Update a QR code", "update-qr-code")
	beta.Beta = true
	return reader.Nav{
		Product:  ui.Link{Label: "Business Messaging", Href: "/docs/business-messaging"},
		Icon:     ui.Drawing{ViewBox: "0 0 24 24", Shapes: []ui.Shape{{Name: "path", Attributes: templ.Attributes{"d": "M4 5h16v11H10l-4 4v-4H4z"}}}},
		Version:  "3.0",
		Versions: []reader.NavVersion{{Link: ui.Link{Label: "3.0", Href: "/docs/business-messaging/3.0", Current: true}}, {Link: ui.Link{Label: "2.0", Href: "/docs/business-messaging/2.0"}, Note: "without this endpoint"}},
		Overview: ui.Link{Label: "Overview", Href: "/docs/business-messaging/3.0"},
		Groups: []reader.NavGroup{
			{Title: "Messages", Open: true, Links: []reader.NavLink{send}},
			{Title: "Media", Open: true, Links: []reader.NavLink{link("POST", "Upload media", "upload-media"), link("POST", "Download media", "download-media"), link("GET", "Get media information", "get-media"), link("DELETE", "Delete media", "delete-media")}},
			{Title: "Templates", Links: []reader.NavLink{link("POST", "Create a template", "create-template"), link("GET", "List the templates of an account", "list-templates")}},
			{Title: "Flows", Open: true, Links: []reader.NavLink{old, beta}},
		},
	}
}

func loginPage() login.Page {
	return login.Page{
		Page:     layout.Page{Title: "Sign in", Account: ui.Link{}},
		Heading:  "Sign in",
		Register: ui.Link{Label: "Register an organisation", Href: "/register"},
		Action:   "/admin/login",
		CSRF:     "token",
		Next:     "/admin",
		Email:    ui.Input{Name: "email", Label: "Email", Type: "email", Value: "asha@example.com", Autocomplete: "username", Required: true},
		Password: ui.Input{Name: "password", Label: "Password", Type: "password", Autocomplete: "current-password", Required: true, Error: "Enter your password"},
		Problem:  "Email and password do not match",
		Forgot:   ui.Link{Label: "Forgot your password?", Href: "/admin/forgot-password"},
	}
}
