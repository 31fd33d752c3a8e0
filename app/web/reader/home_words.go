package reader

import (
	"strings"

	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// wordHome words the homepage for what the portal holds. Messages are promised only
// where the first product sends them, and its keys are registered for here.
func wordHome(home *views.HomePage) {
	if home.Keys.Exists() {
		home.Description = "APIs to reach people on the channels they read, with every version, endpoint and field documented."
		home.Heading = "Send a message. Know its status."
		home.Lead = "APIs to reach people on the channels they read, documented to the last field: what to send, what comes back, and what to do when it fails."
		home.Start = "From nothing to a delivered message"
		home.Steps = []views.Step{
			{Signal: "e", Title: "Get a key", Text: "Register your organisation and keep its key safe. It goes into the apikey header of every call.", Link: home.Keys},
			{Signal: "i", Title: "Make the call", Text: "Copy the sample, put your key and your numbers in. The reply carries the message's id.", Link: home.Endpoint},
			{Signal: "s", Title: "Follow the message", Text: "Sent, delivered, read or failed: each status is posted to your webhook, signed.", Link: home.Callbacks},
		}
		return
	}
	home.Heading = "APIs, documented to the last field."
	home.Lead = "What to send, what comes back, and what to do when it fails."
	home.Description = "APIs with every version, endpoint and field documented."
	if names := readable(home.Products); names != "" {
		home.Lead = names + ": what to send, what comes back, and what to do when it fails."
		home.Description = names + ", with every version, endpoint and field documented."
	}
	if home.Endpoint.Exists() {
		home.Start = "From nothing to a first answer"
		home.Steps = []views.Step{
			{Signal: "e", Title: "Find the endpoint", Text: "Browse a product, or search for a path, a field or the code of an error.", Link: ui.Link{Label: "Search", Href: "/search"}},
			{Signal: "i", Title: "Make the call", Text: "Copy the sample in your language, and put your credential and your values in.", Link: home.Endpoint},
			{Signal: "s", Title: "Read the answer", Text: "Each response is documented with its fields, and each error with its meaning."},
		}
	}
}

// mostNamed is how many products the introduction names.
const mostNamed = 3

// readable names the first products that can be read.
func readable(cards []views.ProductCard) string {
	var names []string
	for _, card := range cards {
		if card.Href != "" && len(names) < mostNamed {
			names = append(names, card.Label)
		}
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
