package portal

import (
	"strings"

	views "heliograph/views/reader/console"
)

// The addresses of the API console, for readers and for administrators.
const (
	consolePath      = "/console"
	consoleStaffPath = "/admin/console"
)

// newConsole returns the panel of the API console for the page of an endpoint.
func (s *site) newConsole(path string) views.Panel {
	at := strings.TrimPrefix(path, "/docs")
	p := views.Panel{Path: consolePath + at, Shown: s.console || s.draft, Draft: s.draft}
	if !p.Shown {
		p.Staff = consoleStaffPath + at
	}
	return p
}
