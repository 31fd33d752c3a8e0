package model

import (
	"testing"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// A made-up number keeps every bound of its schema.
func TestNumberWithinBounds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		limits graph.Limits
		want   string
	}{
		{graph.Limits{}, "1"},
		{graph.Limits{Minimum: "5"}, "5"},
		{graph.Limits{Minimum: "1"}, "1"},
		{graph.Limits{Maximum: "0.5"}, "0.5"},
		{graph.Limits{Maximum: "3"}, "1"},
		{graph.Limits{ExclusiveMinimum: "1"}, "2"},
		{graph.Limits{ExclusiveMinimum: "0"}, "1"},
		{graph.Limits{ExclusiveMaximum: "1"}, "0"},
		{graph.Limits{ExclusiveMaximum: "2"}, "1"},
		{graph.Limits{MultipleOf: "4"}, "4"},
	} {
		if got := numberWithin(tt.limits); got != tt.want {
			t.Errorf("%+v gives %s, want %s", tt.limits, got, tt.want)
		}
	}
}

// The example of a schema is the part of a value that is an instance of it, not
// what is around.
func TestCutFindsTheInstance(t *testing.T) {
	t.Parallel()
	wick := &Field{Name: "wick", Schema: "Wick", Type: "object", Children: []*Field{{Name: "length", Required: true}}}
	lamp := &Field{Schema: "Lamp", Type: "object", Children: []*Field{{Name: "name"}, wick}}
	value, err := tree.Read([]byte(`{"name":"Storm","wick":{"length":3}}`))
	if err != nil {
		t.Fatal(err)
	}
	for schema, want := range map[string]*tree.Node{"Lamp": value, "Wick": value.Get("wick"), "Glass": nil} {
		if got := cut(lamp, value, schema); got != want {
			t.Errorf("%s is %v, want %v", schema, got, want)
		}
	}
	short, err := tree.Read([]byte(`{"wick":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := cut(lamp, short, "Wick"); got != nil {
		t.Errorf("a part without a required member is an instance: %v", got)
	}
}
