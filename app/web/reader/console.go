package reader

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"heliograph/app/documentation/published"
	views "heliograph/views/reader/console"
	"heliograph/views/ui"
)

// The addresses of the API console, for readers and for administrators.
const (
	consolePath      = "/console"
	consoleStaffPath = "/admin/console"
)

// simulatorsPath is the address of the message simulators.
const simulatorsPath = "/simulators"

// simulated lists the operations that have a simulator: their product, the end of their
// path, the simulator, and what stands before the names of their examples there.
var simulated = []struct{ product, path, simulator, before string }{
	{"business-messaging", "/messages", "/messaging", ""},
	{"rcs", "/send-message", "/rcs", ""},
	{"rcs", "/send-freeflow-message", "/rcs", "send-freeflow-message."},
	{"sms", "/JSONGenericReceiver", "/sms", ""},
}

// simulatorOf returns the address of the simulator of an operation with one of its
// examples; without an example it begins with the first. It is empty for operations
// without a simulator.
func simulatorOf(product string, op *published.Operation, example string) string {
	for _, s := range simulated {
		if s.product != product || op.Method != http.MethodPost || !strings.HasSuffix(op.Path, s.path) {
			continue
		}
		if example == "" && s.before == "" {
			return simulatorsPath + s.simulator
		}
		return simulatorsPath + s.simulator + "?example=" + url.QueryEscape(s.before+cmp.Or(example, "text"))
	}
	return ""
}

// simulatorLink leads from a call to the simulator that shows it. Calls that get an
// error have none.
func simulatorLink(product string, op *published.Operation, x exchange, c choice) ui.Link {
	if len(x.calls) == 0 || x.calls[c.call].cause != nil {
		return ui.Link{}
	}
	href := simulatorOf(product, op, x.calls[c.call].name)
	if href == "" {
		return ui.Link{}
	}
	return ui.Link{Label: "Open in the simulator", Href: href}
}

// newConsole returns the panel of the API console for the page of an endpoint.
func (s *site) newConsole(path string) views.Panel {
	at := strings.TrimPrefix(path, "/docs")
	p := views.Panel{Path: consolePath + at, Shown: s.console || s.draft, Draft: s.draft}
	if !p.Shown {
		p.Staff = consoleStaffPath + at
	}
	return p
}
