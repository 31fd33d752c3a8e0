package console

import (
	"maps"

	"github.com/a-h/templ"

	"heliograph/views/ui"
)

// alone keeps the regions of the frame as they are, and the address too.
func alone(r ui.Region) templ.Attributes {
	return templ.Attributes{"hx-target": r.Selector(), "hx-swap": "outerHTML", "hx-select-oob": "", "hx-push-url": "false"}
}

func with(list ...templ.Attributes) templ.Attributes {
	all := templ.Attributes{}
	for _, attributes := range list {
		maps.Copy(all, attributes)
	}
	return all
}

// revealed asks for the panel of administrators once the page is ready. Everybody else
// gets nothing.
func (p Panel) revealed() templ.Attributes {
	return with(alone(PanelRegion), templ.Attributes{
		"id": string(PanelRegion) + "-reveal", "hidden": true, "hx-get": p.Staff, "hx-trigger": "load delay:1ms",
		"hx-sync": "this:drop", "hx-headers": ui.QuietHeaders,
	})
}

// opens loads the form when the panel is first opened.
func (p Panel) opens() templ.Attributes {
	return with(alone(formRegion), templ.Attributes{"hx-get": p.Path, "hx-trigger": "toggle once", "hx-sync": "this:drop"})
}

// sends posts the form and shows the result of the call.
func (f Form) sends() templ.Attributes {
	return with(alone(ResultRegion), templ.Attributes{
		"hx-post": f.Action, "hx-disabled-elt": "find [data-send]", "hx-sync": "this:drop",
	})
}

// arrives posts the answer that the browser received, without credentials, and shows
// the result.
func (d Direct) arrives() templ.Attributes {
	return with(alone(ResultRegion), templ.Attributes{"hx-post": d.Action, "hx-trigger": "arrived", "hx-include": "#console-call", "hx-params": "not " + d.Secrets})
}

// follows refreshes the sample when a field has changed, without credentials and files.
func (f Form) follows() templ.Attributes {
	return with(alone(SampleRegion), templ.Attributes{
		"hx-post": f.Sample.Action, "hx-trigger": "change from:#console-call delay:300ms, input changed from:#console-call delay:700ms, sample from:#console-call", "hx-include": "#console-call", "hx-params": "not " + f.Secrets,
		"hx-sync": "this:replace",
	})
}

// reloads loads the form for another content type or example. What was typed into the
// other fields is kept, but for credentials, which the script puts back.
func (b Body) reloads() templ.Attributes {
	return with(alone(formRegion), templ.Attributes{"hx-get": b.Reload, "hx-trigger": "change", "hx-include": "this"})
}

func described(f Field) templ.Attributes {
	in := f.input()
	attributes := templ.Attributes{}
	by := ""
	if in.Hint != "" {
		by = f.id() + "-hint"
	}
	if in.Error != "" {
		by += " " + f.id() + "-error"
		attributes["aria-invalid"] = "true"
	}
	if by != "" {
		attributes["aria-describedby"] = by
	}
	return attributes
}
