package reader

import (
	"regexp"
	"strings"

	"heliograph/app/documentation/openapi/model"
	views "heliograph/views/reader"
)

// findField returns the anchor that an address names, or its nearest ancestor
// on the page, "" where there is none. If the field itself is missing, lost
// holds the message about it.
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

// anchorsOf returns the anchors of an endpoint's page.
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

// amongVariants returns the anchor of a name that leaves variants out, as the
// JSON of a body does. It returns the shortest one, and the name itself where
// there is none.
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
