package views_test

import (
	"fmt"

	logsview "heliograph/views/channels/logs"
	webhooksview "heliograph/views/channels/webhooks"
	"heliograph/views/ui"
)

// logPages are the templates about messages and callbacks of an organisation.
func logPages() []page {
	messages, callbacks, message, delivery, webhook, reader, usage := messagesPage(), callbacksPage(), messagePage(), deliveryPage(), webhookPage(), webhookPage(), usagePage()
	webhook.Edit = webhookEdit()
	numbers := webhooksview.WebhooksPage{Frame: accountFrame("Webhooks", "Webhooks", ""), Docs: ui.Link{Label: "what each carries", Href: "/docs/business-messaging/3.0#category-callbacks"}, Table: ui.Table{
		Caption: "Webhooks", Quiet: true, Columns: []ui.Column{{Label: "Number"}, {Label: "State"}, {Label: "Address"}},
		Rows: [][]ui.Cell{{{Text: "+910012345678", Href: "/account/webhooks/106540352242922", Mono: true}, {Text: "Healthy", Badge: true, Tone: ui.Good}, {Text: "https://hooks.example.com/messages", Mono: true}}},
	}}
	bare := accountFrame("Nothing", "", "")
	nothing := ui.Listing{Filter: messages.List.Filter, Empty: ui.EmptyState{Title: "No messages yet", Text: "What your programs send appears here.", Next: ui.Link{Label: "Send a first message", Href: "/account#start"}}}
	wrong := messagesPage()
	wrong.List.Table.Rows, wrong.List.Table.Rest = nil, ui.Rest{}
	wrong.List.Reject(map[string]string{"recipient": "Write a number with its country code.", "state": "Choose one of the list."})
	return []page{
		{"messages", messages.Page, logsview.LogView(messages)},
		{"messages-wrong", wrong.Page, logsview.LogView(wrong)},
		{"message", message.Page, logsview.Message(message)},
		{"callbacks", callbacks.Page, logsview.LogView(callbacks)},
		{"delivery", delivery.Page, logsview.Delivery(delivery)},
		{"webhooks", numbers.Page, webhooksview.Webhooks(numbers)},
		{"webhook", webhook.Page, webhooksview.Webhook(webhook)},
		{"webhook-reader", reader.Page, webhooksview.Webhook(reader)},
		{"usage", usage.Page, logsview.Usage(usage)},
		{"messages-empty", bare.Page, logsview.LogView(logsview.LogPage{Frame: bare, List: nothing})},
		{"message-empty", bare.Page, logsview.Message(logsview.MessagePage{Frame: bare, Region: "details-1", State: logsview.State{Label: "Accepted"}, NoCallbacks: "None."})},
		{"delivery-empty", bare.Page, logsview.Delivery(logsview.DeliveryPage{Frame: bare, Region: "details-1", State: logsview.State{Label: "Waiting"}})},
		{"webhooks-empty", bare.Page, webhooksview.Webhooks(webhooksview.WebhooksPage{Frame: bare})},
		{"webhook-empty", bare.Page, webhooksview.Webhook(webhooksview.WebhookPage{Frame: bare, State: logsview.State{Label: "Not set"}})},
		{"usage-empty", bare.Page, logsview.Usage(logsview.UsagePage{Frame: bare})},
	}
}

func messagesPage() logsview.LogPage {
	p := logsview.LogPage{Frame: accountFrame("Messages", "Messages", ""), Lead: "Messages sent with your API keys and their current status. Times are in UTC."}
	p.List.Filter = ui.Filter{
		Action: "/account/messages",
		Inputs: []ui.Input{
			{Name: "recipient", Label: "Recipient", Type: "search", Value: "9198", Placeholder: "+91 98123 45678, or how it begins"}, {Name: "id", Label: "Message id", Type: "search"},
			{Name: "from", Label: "From (UTC)", Type: "datetime-local", Value: "2026-11-20T08:00"}, {Name: "to", Label: "Before (UTC)", Type: "datetime-local"},
		},
		Selects: []ui.Select{
			{Name: "state", Label: "State", Options: []ui.Option{{Label: "Every state"}, {Value: "failed", Label: "Failed"}}},
			{Name: "channel", Label: "Channel", Options: []ui.Option{{Label: "Every channel"}, {Value: "sms", Label: "SMS"}}},
		},
		Clear: ui.Link{Label: "Show all", Href: "/account/messages"},
	}
	p.List.Links = []ui.Link{{Label: "Export the newest 10,000 as CSV", Href: "/account/messages.csv?recipient=9198"}}
	p.List.Table = ui.Table{Caption: "Messages", Quiet: true, Columns: []ui.Column{
		{Label: "Accepted (UTC)"}, {Label: "Channel"}, {Label: "Recipient"}, {Label: "Kind"}, {Label: "State"}, {Label: "Message id"},
	}}
	for i, state := range []struct {
		label string
		tone  ui.Tone
	}{{"Accepted", ""}, {"Sent", ui.Info}, {"Delivered", ui.Good}, {"Read", ui.Good}, {"Failed", ui.Bad}} {
		id := fmt.Sprintf("wamid.AZqKz3m2cQOBf4rXn8Ub%dQ", i)
		p.List.Table.Rows = append(p.List.Table.Rows, []ui.Cell{
			{Text: fmt.Sprintf("21 Nov 2026, 10:0%d:17", i), Title: "2 minutes ago"}, {Text: "Messaging"}, {Text: "+919812345678", Mono: true}, {Text: "template"},
			{Text: state.label, Badge: true, Tone: state.tone}, {Body: logsview.Identifier(id, "/account/messages/"+id, ui.Details.Of(fmt.Sprint(i))), Opens: ui.Details.Of(fmt.Sprint(i))},
		})
	}
	p.List.First = ui.Link{Label: "First page", Href: "/account/messages"}
	p.List.Table.Rest = ui.Rest{Pages: 1, Note: "Searched back to 14 Nov 2026, 10:00:00 UTC. There may be older ones.", Link: ui.Link{Label: "Search further back", Href: "/account/messages?before=x"}}
	return p
}

func callbackTable() ui.Table {
	return ui.Table{Caption: "Callbacks", Quiet: true, Columns: []ui.Column{{Label: "Stored (UTC)"}, {Label: "Event"}, {Label: "State"}, {Label: "Attempts", Numeric: true}, {Label: "Last answer"}, {Label: "webhook-id"}}, Rows: [][]ui.Cell{
		{{Text: "21 Nov 2026, 10:00:17"}, {Text: "message.sent", Mono: true}, {Text: "Delivered", Badge: true, Tone: ui.Good}, {Text: "1"}, {Body: ui.Status("200")}, {Body: logsview.Identifier("20417", "/account/deliveries/20417", "")}},
		{{Text: "21 Nov 2026, 10:00:18"}, {Text: "message.failed", Mono: true}, {Text: "Failed", Badge: true, Tone: ui.Bad}, {Text: "10"}, {Body: ui.Status("503")}, {Body: logsview.Identifier("20418", "/account/deliveries/20418", "")}},
	}}
}

func callbacksPage() logsview.LogPage {
	p := logsview.LogPage{Frame: accountFrame("Callbacks", "Callbacks", ""), Lead: "Callbacks to your webhooks and their responses. Times are in UTC."}
	p.List.Filter = ui.Filter{Action: "/account/deliveries", Inputs: []ui.Input{{Name: "event", Label: "Event", Type: "search", Placeholder: "message.failed"}}}
	p.List.Filter.Keep = []ui.Pair{{Key: "replay", Value: "3"}}
	p.List.Table = callbackTable()
	p.State = &logsview.State{Tone: ui.Info, Label: "Replaying", Note: "10,000 callbacks at 21 Nov 2026, 10:00:18 UTC: 7,204 delivered, 2,790 waiting, 6 failed."}
	p.Next = []ui.Link{{Label: "Replay the rest", Href: "/account/webhooks/1/replay?since=2026-11-21T09%3A00%3A00&which=failed"}}
	return p
}

func messagePage() logsview.MessagePage {
	return logsview.MessagePage{
		Region: "details-1", Frame: accountFrame("Message to +919812340001", "Messages", ""), State: logsview.State{Tone: ui.Bad, Label: "Failed", Note: "It will not be delivered."},
		Cause: &logsview.Cause{Title: "Message undeliverable (131026)", Text: "The number is not on the channel.", Remedy: "Check that the number is right and in use."},
		Facts: []ui.Pair{{Key: "Message id", Value: "wamid.AZqKz3m2cQOBf4rXn8UbQQ", Mono: true}, {Key: "Accepted", Value: "21 Nov 2026, 10:00:17 UTC"}, {Key: "Channel", Value: "Messaging"}},
		Events: ui.Table{Caption: "States", Quiet: true, Columns: []ui.Column{{Label: "When (UTC)"}, {Label: "State"}, {Label: "Reason"}}, Rows: [][]ui.Cell{
			{{Text: "21 Nov 2026, 10:00:17"}, {Text: "Accepted", Badge: true}, {}}, {{Text: "21 Nov 2026, 10:00:18"}, {Text: "Failed", Badge: true, Tone: ui.Bad}, {Text: "Message undeliverable"}},
		}},
		Callbacks: callbackTable(), PayloadNote: "The variables hold a one-time code and are hidden.",
		Payload: ui.Code{Title: "Request body", Language: "json", Text: "{\n  \"messaging_product\": \"msgapp\",\n  \"to\": \"919812340001\",\n  \"type\": \"template\"\n}"},
	}
}

func deliveryPage() logsview.DeliveryPage {
	return logsview.DeliveryPage{
		Region: "details-20418", Frame: accountFrame("Callback message.failed", "Webhooks", "The callback is posted once more, under the same webhook-id."), Problem: "This callback was not replayed: it is being tried already.",
		State:  logsview.State{Tone: ui.Bad, Label: "Failed", Note: "The callback failed after 10 attempts. Replay it when your webhook works again."},
		Cause:  &logsview.Cause{Title: "hooks.example.com did not answer in time.", Remedy: "Respond within 10 seconds: store the callback, respond with 200 and process it afterwards."},
		Facts:  []ui.Pair{{Key: "Event", Value: "message.failed"}, {Key: "webhook-id", Value: "20418", Mono: true}, {Key: "Message", Value: "019b3e0a-52f1-7c3e-9d55-2f1b7c3e9d55", Mono: true, Href: "/account/messages/x"}},
		Replay: &ui.Post{Action: "/account/deliveries/20418/replay", CSRF: "token", Label: "Replay this callback"},
		Attempts: []logsview.Attempt{
			{Heading: "Attempt 2, 21 Nov 2026, 10:05:18 UTC, 10002 ms", Open: true, Facts: []ui.Pair{{Key: "Address", Value: "https://hooks.example.com/messages", Mono: true}, {Key: "Problem", Value: "hooks.example.com did not answer in time."}}, Request: ui.Code{Title: "Request headers", Language: "http", Text: "Content-Type: application/json\nwebhook-id: 20418"}},
			{Heading: "Attempt 1, 21 Nov 2026, 10:00:18 UTC, 41 ms", Status: "503", Facts: []ui.Pair{{Key: "Address", Value: "https://hooks.example.com/messages", Mono: true}}, Request: ui.Code{Title: "Request headers", Text: "webhook-id: 20418"}, Response: ui.Code{Title: "Response, its first 2 kB", Text: "<h1>Service unavailable</h1>"}},
		},
		Body: ui.Code{Title: "Body of every attempt", Language: "json", Text: "{\n  \"object\": \"msgapp_business_account\"\n}"},
	}
}

func webhookPage() webhooksview.WebhookPage {
	return webhooksview.WebhookPage{
		Frame: accountFrame("Webhook of +910012345678", "Webhooks", "The webhook is set."), Problem: "Two secrets sign already.",
		State: logsview.State{Tone: ui.Warn, Label: "Failing", Note: "9 attempts in a row failed since 21 Nov 2026, 10:00:18 UTC. One callback a minute is tried until one succeeds."},
		Cause: &logsview.Cause{Title: "The webhook answered 404 instead of 2xx.", Remedy: "No endpoint accepts POST at this path.", Next: ui.Link{Label: "See the attempt", Href: "/account/deliveries/20418"}},
		Facts: []ui.Pair{{Key: "Phone number id", Value: "106540352242922", Mono: true}, {Key: "Address", Value: "https://hooks.example.com/messages", Mono: true}, {Key: "Callbacks", Value: "Show the callbacks", Href: "/account/deliveries?number=106540352242922"}},
	}
}

func webhookEdit() *webhooksview.WebhookEdit {
	e := &webhooksview.WebhookEdit{
		Action: "/account/webhooks/1", Region: ui.Form.Of("webhook"), Heading: "Endpoint", Save: "Save the webhook", URL: ui.Input{Name: "url", Label: "URL", Type: "url", Value: "http://10.0.0.1/", Required: true, Hint: "Answer 2xx within 10 seconds.", Error: "10.0.0.1 is not a public internet address."},
		Headers: ui.TextArea{Name: "headers", Label: "Custom headers", Value: "X-Webhook-Secret: b4f1c7d2\n", Rows: 4, Mono: true, Hint: "One on each line.", Error: "The header X-A is set twice. Remove one."},
		Actions: []ui.Post{{Action: "/account/webhooks/1/test", Label: "Send a test event"}}, Remove: ui.Ask{Link: ui.Link{Label: "Remove the webhook", Href: "/account/webhooks/1/remove"}, Region: "confirm-remove", Kind: ui.Danger},
		Replay: "/account/webhooks/1/replay", Place: "confirm-replay", Since: ui.Input{Name: "since", Label: "Stored since (UTC)", Type: "datetime-local", Required: true, Error: "Enter a day and a time."},
		Which: ui.Select{Name: "which", Label: "Which", Options: []ui.Option{{Value: "failed", Label: "Failed"}}},
		Secret: webhooksview.SecretPart{
			Note:    "Two secrets sign every callback until 22 Nov 2026, 10:00:00 UTC.",
			Shown:   []ui.Code{{Title: "Secret", Text: "whsec_Y3VycmVudCBzZWNyZXQsIDMyIGJ5dGVzIGxvbmch"}, {Title: "Previous secret", Text: "whsec_cHJldmlvdXMgc2VjcmV0LCAzMiBieXRlcyBsb25n"}},
			Actions: []ui.Post{{Action: "/account/webhooks/1/secret/retire", Label: "Retire the previous secret", Kind: ui.Danger}},
		},
	}
	e.Sign("token")
	return e
}

func usagePage() logsview.UsagePage {
	p := logsview.UsagePage{
		Frame: accountFrame("Usage", "Usage", ""), Lead: "Messages of the last 30 days, by the day in UTC on which they were accepted.",
		Totals: []ui.Pair{{Key: "Accepted", Value: "18,943"}, {Key: "Delivered or read", Value: "18,204 (96.0 %)"}, {Key: "Failed", Value: "739 (3.9 %)"}},
		Chart:  ui.Chart{Title: "Messages by day and channel", Steps: "Day (UTC)", Series: []string{"Messaging", "SMS", "RCS"}},
	}
	for i := range 30 {
		p.Chart.Bars = append(p.Chart.Bars, ui.Bar{Label: fmt.Sprintf("%d Nov 2026", i+1), Values: []int{300 + 37*(i%7), 120 + 11*(i%5), 4 * (i % 9)}})
	}
	return p
}
