package admin

import (
	"net/http"

	"heliograph/views/ui"
)

// current returns the region that shows the current state beside a refused form.
// A conflict shows all of the page: something else has changed meanwhile.
func current(status int) ui.Region {
	if status == http.StatusConflict {
		return ui.Main
	}
	return ""
}
