package ui

import (
	"context"
	"io"
	"maps"
	"strings"

	"github.com/a-h/templ"
)

// Region names a part of a page that can be rendered alone. It is the id of its
// element and the key of the Part that writes it, so that the server finds the
// part by the id that htmx sends as its target.
//
// A part that exists once for each item of a page has one key and an id for each
// item: Details.Of("42") is the id "details-42", rendered by the Part of Details.
type Region string

// The regions that pages share. A page with several forms names each of them
// with Form.Of.
const (
	// Main is the content of a page below its header, without the navigation.
	Main Region = "main"
	// List is what a filter changes: counts, table and pages.
	List Region = "list"
	// Filtered is a list together with its filter, for a filter that is wrong.
	Filtered Region = "filtered"
	// More is the row with the link to the rest of a list. The next rows replace it.
	More Region = "more"
	// Details are the details of one row, shown below it.
	Details Region = "details"
	// Form is a form with its messages.
	Form Region = "form"
	// Confirm asks for confirmation before something is done.
	Confirm Region = "confirm"
	// Live is a part that refreshes by itself.
	Live Region = "live"
)

// The regions of public pages that are smaller than Main.
const (
	// Samples are the calls of an endpoint with the languages to choose from. The
	// request line, which shows the server, goes with them: see Called.
	Samples Region = "samples"
	// Call is one call of an endpoint: the request itself, or code that makes it with a
	// client library.
	Call Region = "call"
	// Called is the request line of an endpoint with the servers to choose from.
	Called Region = "called"
	// Groups are the groups of endpoints that a large version leaves out of its
	// navigation: all of them, each named by Of its place.
	Groups Region = "groups"
	// NavGroups are all groups of the navigation, or what its filter left of them.
	NavGroups Region = "nav-groups"
	// Branch is a field without its members, which a large page leaves out. The id of its
	// element is the anchor of the field.
	Branch Region = "branch"
	// SearchFound are the results in the search dialog.
	SearchFound Region = "search-found"
	// AccountLink is the link of the header to the account or to signing in.
	AccountLink Region = "account-link"
)

// The regions of the frame. Answers carry them beside the part that was asked
// for, where they change: htmx picks them out by their ids.
const (
	Title      Region = "title"        // title of the document
	Canonical  Region = "canonical"    // canonical address
	Alternate  Region = "alternate"    // the page as Markdown
	Accent     Region = "accent"       // colour of the product
	Places     Region = "places"       // products and links of the header
	Nav        Region = "navigation"   // navigation of a public page
	Scope      Region = "search-scope" // what search can be narrowed to
	SearchLink Region = "search-link"  // link to the search page
	Sections   Region = "sections"     // navigation of an area, with the current mark
	Toasts     Region = "toasts"       // what was just done
	Flash      Region = "flash"        // what went wrong

	// Announcer is what screen readers say about a part that was replaced. Its
	// element has the id of the announcer of the page's own script.
	Announcer Region = "announcer"
)

// Of returns the id of a region for one item, an id or a name of letters,
// digits and hyphens.
func (r Region) Of(item string) Region { return r + "-" + Region(item) }

// Selector returns the CSS selector of the region.
func (r Region) Selector() string { return "#" + string(r) }

// Part writes its children as a region. It is a templ.Fragment, and its children
// have none of their own: within a bare fragment a component without children
// would be given the children of the fragment.
func Part(r Region) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		children := templ.GetChildren(ctx)
		alone := templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
			return children.Render(templ.ClearChildren(ctx), w)
		})
		return templ.Fragment(r).Render(templ.WithChildren(ctx, alone), w)
	})
}

// Painted is how long what follows a press waits in htmx, so that the press is painted
// before it.
const Painted = "20ms"

// Into makes the response to the element's request replace a region.
func Into(r Region) templ.Attributes {
	return templ.Attributes{"hx-target": r.Selector(), "hx-swap": "outerHTML"}
}

// InPlace makes the response to a form replace the form, which gets the region's
// id. The button is disabled during the request, and a second press is ignored.
// Without script the form works by its method and action.
func InPlace(r Region) templ.Attributes {
	return with(Into(r), templ.Attributes{"id": string(r), "hx-disabled-elt": "find button[type=submit]", "hx-sync": "this:drop"})
}

// Filters makes a form refresh a list when its fields change, and the address of the
// page with it. The last change wins. The fields keep their focus, because only
// the list is replaced.
func Filters(r Region, action string) templ.Attributes {
	return with(Into(r), templ.Attributes{
		"hx-get": action, "hx-trigger": "change, submit",
		"hx-sync": "this:replace", "hx-replace-url": "true",
	})
}

// Opens makes a link show its page in a region of the page that it stands on. The
// address stays. Put Place where the region is to be.
func Opens(r Region) templ.Attributes {
	if r == "" {
		return nil
	}
	return with(Into(r), templ.Attributes{
		"id": "open-" + string(r), "hx-push-url": "false", "aria-controls": string(r), "aria-expanded": "false",
	})
}

// Refresh refreshes a region when one of the topics of the page's stream is named.
// The region morphs into the answer, so that focus, open disclosures and selected
// text stay. The request does not renew the session, and if that has ended it
// opens the sign-in form.
//
// The attributes belong on an empty element within or beside the region, because
// links and forms inherit attributes from the elements around them. The number of
// pages of a list that are shown is sent along, so that appended rows stay.
func Refresh(r Region, address string, topics ...string) templ.Attributes {
	trigger := "sse:sync, sse:end"
	for _, topic := range topics {
		trigger += ", sse:" + topic
		// A throttle drops what comes while it holds, so the last event asks again.
		if name, wait, throttled := strings.Cut(topic, " throttle:"); throttled {
			trigger += ", sse:" + name + " delay:" + wait
		}
	}
	return templ.Attributes{
		"id": "refresh-" + string(r), "hidden": true, "hx-get": address, "hx-trigger": trigger, "hx-target": r.Selector(),
		// htmx complains when nothing is to be included, so the element includes itself, which holds no field.
		"hx-swap": "morph:outerHTML", "hx-include": "#refresh-" + string(r) + ", [type=hidden][name=page]", "hx-push-url": "false", "hx-headers": LiveHeaders,
		"hx-sync": "this:replace",
	}
}

// LiveHeaders are the headers of requests that no person made. The session of
// such a request is looked up, not renewed.
const LiveHeaders = `{"X-Live":"true"}`

// QuietHeaders are LiveHeaders of requests that must not interrupt somebody who types:
// when the session has ended, nothing happens in place of the sign-in form.
const QuietHeaders = `{"X-Live":"quiet"}`

func with(attributes, more templ.Attributes) templ.Attributes {
	maps.Copy(attributes, more)
	return attributes
}
