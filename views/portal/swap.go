package portal

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"heliograph/views/ui"
)

// chooses has htmx put the samples of a link in the place of those that are
// shown, with the request line, and the choice into the address of the page.
func chooses() templ.Attributes {
	attributes := ui.Into(ui.Samples)
	attributes["hx-select-oob"] = ui.Called.Selector()
	attributes["hx-replace-url"] = "true"
	return attributes
}

// groupID names the list of a group of the navigation by its place.
func groupID(i int) ui.Region { return ui.Groups.Of(strconv.Itoa(i)) }

// fills has htmx take the groups that the navigation leaves out from the
// overview, all at once, when the first of them is opened or the filter is used.
func (n Nav) fills() templ.Attributes {
	var missing []string
	for i, g := range n.Groups {
		if g.All.Exists() {
			missing = append(missing, groupID(i).Selector())
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return templ.Attributes{
		"hx-get": n.Overview.Href, "hx-trigger": "focusin once, toggle once from:(.nav .more)", "hx-target": "this", "hx-swap": "none",
		"hx-select-oob": strings.Join(missing, ","), "hx-sync": "this:drop", "preload": "never",
	}
}
