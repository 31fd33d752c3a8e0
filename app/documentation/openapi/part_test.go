package openapi_test

import (
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/tree"
)

func TestFlawsOfParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		check func(*tree.Node) ([]openapi.Flaw, error)
		text  string
		want  []string // pointers
	}{
		{"schema", openapi.SchemaFlaws, `{"type": "object", "properties": {"id": {"type": ["string", "null"]}}, "x-own": 1}`, nil},
		{"schema that is true", openapi.SchemaFlaws, `true`, nil},
		{"type of a schema", openapi.SchemaFlaws, "type: object\nproperties:\n  id: {type: text}", []string{"/properties/id/type"}},
		{"two mistakes", openapi.SchemaFlaws, `{"minLength": "3", "required": "id"}`, []string{"/minLength", "/required"}},
		{"operation", openapi.OperationFlaws, `{"responses": {"200": {"description": "OK"}}, "x-request": {}}`, nil},
		{"parameter without a place", openapi.OperationFlaws, `{"parameters": [{"name": "a", "schema": {}}]}`, []string{"/parameters/0", "/parameters/0"}},
		{"schema in an operation", openapi.OperationFlaws, `{"responses": {"200": {"description": "", "content": {"a/b": {"schema": {"type": 1}}}}}}`,
			[]string{"/responses/200/content/a~1b/schema/type"}},
		{"frame", openapi.FrameFlaws, `{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "servers": [{"url": "https://a"}]}`, nil},
		{"frame with the places of its parts", openapi.FrameFlaws, `{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/a": {"get": null, "post": 1}}, "components": {"schemas": {"A": null}}}`,
			[]string{"/paths/~1a/post"}},
		{"frame without information", openapi.FrameFlaws, `{"openapi": "3.1.0", "security": {}}`, []string{"", "/security"}},
	} {
		n, err := tree.Read([]byte(c.text))
		if c.text == "true" {
			n, err = tree.Bool(true), nil
		}
		if err != nil {
			t.Fatal(err)
		}
		list, err := c.check(n)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range list {
			if got = append(got, f.Pointer); f.Reason == "" {
				t.Errorf("%s: %s has no reason", c.name, f.Pointer)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: flaws %+v, want them at %q", c.name, list, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: flaws %+v, want them at %q", c.name, list, c.want)
			}
		}
	}
}

// The frames of the portal's own documents have no flaws: the places of operations
// and schemas, which are items of their own, are none.
func TestFramesHaveNoFlaws(t *testing.T) {
	t.Parallel()
	for _, d := range corpus.Seeds(t) {
		document, err := openapi.Read(d.Data)
		if err != nil {
			t.Fatal(err)
		}
		frame, err := tree.Read(document.Frame)
		if err != nil {
			t.Fatal(err)
		}
		if flaws, err := openapi.FrameFlaws(frame); err != nil || len(flaws) > 0 {
			t.Errorf("%s: %v, %v", d.Name, flaws, err)
		}
	}
}
