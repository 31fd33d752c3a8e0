package portal

import (
	"strings"

	"heliograph/app/spec"
	views "heliograph/views/portal"
)

// findField returns what an address names, or its nearest ancestor among the
// anchors of a page, "" where there is none. Lost says so where it is not the
// thing itself.
func findField(anchors map[string]bool, field, whole string) (nearest string, lost views.Lost) {
	for nearest = field; nearest != "" && !anchors[nearest]; {
		nearest = nearest[:max(0, strings.LastIndexAny(nearest, ".:"))]
	}
	if nearest == field {
		return nearest, lost
	}
	return nearest, views.Lost{Field: field, Nearest: nearest, Whole: whole}
}

// anchorsOf lists what addresses can name on the page of an endpoint.
func anchorsOf(e *spec.Endpoint) map[string]bool {
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

func responseID(r spec.Response) string { return "response-" + strings.ToLower(r.Status) }
