package reader

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// A change of a schema that three endpoints use shows once. What is an endpoint's own
// stays with it, and so does what two share.
func TestChangesOfSchemasAreToldOnce(t *testing.T) {
	t.Parallel()
	change := func(id, place, schema string) views.ComparedChange {
		return views.ComparedChange{ID: id, Title: "Optional field added", Place: place, Schema: schema, After: []views.Word{{Text: "string"}}}
	}
	op := func(id string, list ...views.ComparedChange) views.ComparedOperation {
		return views.ComparedOperation{ID: id, Link: ui.Link{Label: id, Href: "/" + id}, Changes: list}
	}
	view := views.ComparePage{Operations: []views.ComparedOperation{
		op("a", change("1", "response-400.nearest", "Problem"), change("2", "response-429.nearest", "Problem"), change("3", "body.to", "Letter")),
		op("b", change("4", "response-400.nearest", "Problem")),
		op("c", change("5", "response-400.nearest", "Problem"), change("6", "body.to", "Letter"), change("7", "body.to", "")),
	}}
	list := share(&view)
	if len(list) != 1 || list[0].Name != "Problem.nearest" || list[0].In != "3 endpoints" {
		t.Fatalf("told once: %+v", list)
	}
	want := []views.SharedPlace{
		{Link: ui.Link{Label: "a", Href: "/a"}, ID: "1", Place: "response-400.nearest"}, {Link: ui.Link{Label: "a", Href: "/a"}, ID: "2", Place: "response-429.nearest"},
		{Link: ui.Link{Label: "b", Href: "/b"}, ID: "4", Operation: "b", Place: "response-400.nearest"}, {Link: ui.Link{Label: "c", Href: "/c"}, ID: "5", Place: "response-400.nearest"},
	}
	if diff := cmp.Diff(want, list[0].Where); diff != "" {
		t.Errorf("where it shows (-want +got):\n%s", diff)
	}
	if len(view.Operations) != 2 || len(view.Operations[0].Changes) != 1 || len(view.Operations[1].Changes) != 2 {
		t.Errorf("left with the endpoints: %+v", view.Operations)
	}
}
