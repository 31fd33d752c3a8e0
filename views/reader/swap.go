package reader

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"heliograph/views/ui"
)

// chooses returns the attributes of a link to another language or server. htmx
// replaces the samples and the request line, once the press has been painted, and the
// address of the page gets the choice.
func chooses() templ.Attributes {
	attributes := ui.Into(ui.Samples)
	attributes["hx-swap"], attributes["hx-select-oob"] = "outerHTML swap:"+ui.Painted, ui.Called.Selector()
	attributes["hx-replace-url"] = "true"
	return attributes
}

// narrows returns the attributes of the filter of the navigation: it asks the page
// itself for the groups as one types. The address stays.
func narrows() templ.Attributes {
	attributes := ui.Into(ui.NavGroups)
	attributes["hx-get"], attributes["hx-trigger"] = "", "input changed delay:120ms from:find input, submit"
	attributes["hx-select-oob"], attributes["hx-sync"], attributes["hx-push-url"] = "#live:innerHTML", "this:replace", "false"
	return attributes
}

// FindName is the name of the field that filters error codes.
const FindName = "find"

// finds returns the attributes of a form that filters error codes while somebody
// types.
func finds() templ.Attributes {
	attributes := ui.Into(ui.List)
	attributes["hx-get"], attributes["hx-trigger"] = "", "input changed delay:120ms from:find input, submit"
	attributes["hx-sync"], attributes["hx-replace-url"] = "this:replace", "true"
	return attributes
}

// groupID returns the id of a navigation group's list.
func groupID(i int) ui.Region { return ui.Groups.Of(strconv.Itoa(i)) }

// fills returns the attributes that load the groups that the navigation leaves
// out, all at once, when the first one is opened.
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
		"hx-get": n.Overview.Href, "hx-trigger": "toggle once from:(.nav .more)", "hx-target": "this", "hx-swap": "none",
		"hx-select-oob": strings.Join(missing, ","), "hx-sync": "this:drop", "preload": "never",
	}
}
