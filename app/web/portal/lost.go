package portal

import (
	"regexp"
	"strings"

	"heliograph/app/spec/model"
	views "heliograph/views/portal"
)

// findField returns what an address names, or its nearest ancestor among the
// anchors of a page, "" where there is none. Lost says so where it is not the
// thing itself.
func findField(anchors map[string]bool, field, whole string) (nearest string, lost views.Lost) {
	if !anchors[field] {
		field = amongVariants(anchors, field)
	}
	for nearest = field; nearest != "" && !anchors[nearest]; {
		nearest = nearest[:max(0, strings.LastIndexAny(nearest, ".:"))]
		if !anchors[nearest] {
			nearest = amongVariants(anchors, nearest)
		}
	}
	if nearest == field {
		return nearest, lost
	}
	return nearest, views.Lost{Field: field, Nearest: nearest, Whole: whole}
}

// anchorsOf lists what addresses can name on the page of an endpoint.
func anchorsOf(e *model.Endpoint) map[string]bool {
	anchors := map[string]bool{}
	for _, g := range e.Parameters {
		anchors[g.In] = true
	}
	anchors["body"] = len(e.Bodies) > 0
	for _, r := range e.Responses {
		anchors[responseID(r)] = true
	}
	for f := range e.Fields() {
		anchors[f.Path] = true
	}
	return anchors
}

func responseID(r model.Response) string { return "response-" + strings.ToLower(r.Status) }

var variant = regexp.MustCompile(`:[^.]*`)

// amongVariants returns the address that a name stands for which leaves the
// variants out, as the JSON of a body does: the shortest where there are
// several, and the name itself where there is none.
func amongVariants(anchors map[string]bool, field string) string {
	found := field
	for anchor := range anchors {
		if variant.ReplaceAllString(anchor, "") != field {
			continue
		}
		if found == field || len(anchor) < len(found) || len(anchor) == len(found) && anchor < found {
			found = anchor
		}
	}
	return found
}
