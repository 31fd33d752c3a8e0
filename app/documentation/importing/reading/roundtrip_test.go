package reading

import (
	"fmt"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/postman"
)

// Collections that the portal exports come back with every method, path, parameter and
// example. The documents are its own contracts and, where the folder of them is there,
// real ones.
func TestCollectionsComeBack(t *testing.T) {
	t.Parallel()
	documents := corpus.Seeds(t)
	for _, d := range corpus.Real(t) {
		if !strings.HasPrefix(d.Name, "openai") { // the drill has it
			documents = append(documents, d)
		}
	}
	for _, d := range documents {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			comesBack(t, d.Data)
		})
	}
}

// comesBack exports a document as a collection, imports that and compares both.
func comesBack(t *testing.T, data []byte) {
	t.Helper()
	d, err := Read(data)
	if err != nil {
		t.Skipf("this is no document: %v", err)
	}
	api, err := model.Compile(d.Document.Parts)
	if err != nil {
		t.Fatal(err)
	}
	const server = "https://api.example.com"
	s := postman.Source{ID: "own", Name: api.Title, Base: "base_url", Server: server, Address: func(string) string { return server }}
	for _, c := range api.Categories {
		s.Folders = append(s.Folders, postman.Folder{Name: c.Name, Description: c.Description, Endpoints: c.Endpoints})
	}
	collection, err := postman.Collection(s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(collection)
	if err != nil {
		t.Fatal(err)
	}
	again, err := model.Compile(r.Document.Parts)
	if err != nil {
		t.Fatal(err)
	}
	one := repeated(api)
	want, got := traits(api, one), traits(again, one)
	lost := 0
	for trait := range want {
		if !got[trait] {
			if lost++; lost <= 20 {
				t.Errorf("it loses %.900s", trait)
			}
		}
	}
	t.Logf("%d of %d methods, paths, parameters and examples come back", len(want)-lost, len(want))
}

// traits lists methods with their paths, parameters, and the examples of parameters and
// bodies. Operations are the same if only names of path variables differ: a
// collection cannot tell them apart, and makes them named examples of one operation.
func traits(api *model.API, one map[string]bool) map[string]bool {
	list := map[string]bool{}
	for _, c := range api.Categories {
		for _, e := range c.Endpoints {
			call, isOne := e.Method+" "+e.Path, one[e.Method+" "+shape(e.Path)]
			if isOne {
				call = e.Method + " " + shape(e.Path)
			}
			list[call] = true
			for _, in := range e.Inputs {
				if isCredential(e, in) || isOne && in.In == "path" {
					continue
				}
				name := fmt.Sprintf("%s with %s in the %s", call, in.Field.Name, in.In)
				if in.In == "header" {
					name = strings.ToLower(name)
				}
				list[name] = true
			}
			for _, b := range e.Bodies {
				bodyTraits(list, call+" sends ", b)
			}
			for _, r := range e.Responses {
				for _, b := range r.Bodies {
					bodyTraits(list, call+" answers "+strings.ReplaceAll(r.Status, "X", "0")+" ", b)
				}
			}
		}
	}
	return list
}

// bodyTraits lists the content type and the examples of a body.
func bodyTraits(list map[string]bool, prefix string, b model.Body) {
	for _, x := range b.Examples {
		if x.Value != "" && !x.Generated {
			list[prefix+b.ContentType+": "+x.Value] = true
		}
	}
}

// repeated lists the calls of several operations.
func repeated(api *model.API) map[string]bool {
	seen, list := map[string]bool{}, map[string]bool{}
	for _, c := range api.Categories {
		for _, e := range c.Endpoints {
			call := e.Method + " " + shape(e.Path)
			list[call] = list[call] || seen[call]
			seen[call] = true
		}
	}
	return list
}

// shape is a path without the names of its variables.
func shape(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if strings.Contains(p, "{") {
			parts[i] = "{}"
		}
	}
	return strings.Join(parts, "/")
}

// isCredential reports whether a parameter is how callers authenticate, which a
// collection says apart from its parameters.
func isCredential(e *model.Endpoint, in model.Input) bool {
	for _, alternative := range e.Auth {
		for _, s := range alternative {
			if s.In == in.In && strings.EqualFold(s.Field, in.Name) {
				return true
			}
		}
	}
	return false
}
