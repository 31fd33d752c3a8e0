package portal

import (
	"strings"

	"heliograph/app/catalogue"
	views "heliograph/views/portal"
	"heliograph/views/ui"
)

// receiver stands for the address of a callback, which every reader has another
// of.
const receiver = "your webhook address"

// addCallback tells the page of a callback where it is sent, and shows what is
// sent in place of calls.
func addCallback(endpoint *views.EndpointPage, at place, e reference) {
	endpoint.Callback = true
	endpoint.Badges = append(endpoint.Badges, views.Badge{Label: "Callback"})
	endpoint.Request.Receiver = receiver
	endpoint.Guide = at.callbackGuide()
	for _, body := range e.Bodies {
		for _, example := range body.Examples {
			endpoint.Samples = append(endpoint.Samples, views.Sample{
				Label: exampleTitle(example),
				Code:  ui.Code{Title: body.ContentType, Language: syntax(body.ContentType), Text: example.Value},
			})
		}
	}
}

// callbackGuide leads to the guide of the product that says how to receive
// callbacks, by its title; nowhere without one.
func (at place) callbackGuide() ui.Link {
	for _, g := range guides(at.product) {
		title := strings.ToLower(g.Title)
		if strings.Contains(title, "callback") || strings.Contains(title, "webhook") {
			return newGuideCard(at.product, g).Link
		}
	}
	return ui.Link{}
}

// operationLine is what is called, or what is sent and where, in a line.
func operationLine(op *catalogue.Operation) string {
	if op.Callback {
		return "the callback " + op.Method + " to " + receiver
	}
	return op.Method + " " + op.Path
}

// nounOf is what readers call an operation.
func nounOf(op *catalogue.Operation) string {
	if op.Callback {
		return "callback"
	}
	return "endpoint"
}

// sizeOf counts the operations of a category: "5 callbacks".
func sizeOf(c *catalogue.Category) string {
	kind := nounOf(c.Operations[0])
	return count(len(c.Operations), kind, kind+"s")
}
