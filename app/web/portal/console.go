package portal

import (
	"net/http"
	"strings"

	"heliograph/app/documentation/published"
	views "heliograph/views/reader/console"
)

// The addresses of the API console, for readers and for administrators.
const (
	consolePath      = "/console"
	consoleStaffPath = "/admin/console"
)

// simulatorsPath is the address of the message simulators.
const simulatorsPath = "/simulators"

// simulated lists the operations that have a simulator: their product, the end of their
// path, and what follows the address of the simulators.
var simulated = []struct{ product, path, simulator string }{
	{"business-messaging", "/messages", "/messaging"},
	{"rcs", "/send-message", "/rcs"},
	{"rcs", "/send-freeflow-message", "/rcs?example=send-freeflow-message.text"},
	{"sms", "/JSONGenericReceiver", "/sms"},
}

// simulatorOf returns the address of the simulator of an operation; empty for none.
func simulatorOf(product string, op *published.Operation) string {
	for _, s := range simulated {
		if s.product == product && op.Method == http.MethodPost && strings.HasSuffix(op.Path, s.path) {
			return simulatorsPath + s.simulator
		}
	}
	return ""
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
