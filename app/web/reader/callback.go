package reader

import (
	"strconv"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// addCallback adds the receiver of a callback to its page.
func addCallback(endpoint *views.EndpointPage, at place) {
	endpoint.Callback = true
	endpoint.Badges = append(endpoint.Badges, views.Badge{Label: "Callback"})
	endpoint.Request.Method, endpoint.Request.Receiver = incoming, reference.Receiver
	endpoint.Guide = callbackGuide(at)
}

// callbackGuide links to the guide of the product about receiving callbacks.
// The link is empty where there is none.
func callbackGuide(at place) ui.Link {
	if g := at.reference().CallbackGuide(); g != nil {
		return newGuideCard(at.product, g).Link
	}
	return ui.Link{}
}

// nounOf returns the noun for an operation: endpoint or callback.
func nounOf(op *published.Operation) string {
	if op.Callback {
		return "callback"
	}
	return "endpoint"
}

// sizeOf counts the served operations of a category: "5 callbacks".
func (at place) sizeOf(c *published.Category) string {
	return sizeWords(at.served(c), nounOf(c.Operations[0]))
}

// served returns the number of served operations of a category.
func (at place) served(c *published.Category) (n int) {
	for _, op := range c.Operations {
		if at.version.Served(op) {
			n++
		}
	}
	return n
}

// sizeOfVersion counts the served endpoints of a version: "31 endpoints".
func sizeOfVersion(v *published.Version) string { return sizeWords(v.ServedEndpoints(), "endpoint") }

// sizeWords is a count of served operations in words.
func sizeWords(n int, kind string) string {
	if n == 0 {
		return reference.NotServed
	}
	return ui.Counted(n, kind, kind+"s")
}

// headingCount is a count of served operations beside a heading that says of what.
func headingCount(n int) string {
	if n == 0 {
		return reference.NotServed
	}
	return strconv.Itoa(n)
}
