package reading

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/postman"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/db/seed"
)

// Collections that the portal exports come back with every method, path, parameter and
// example.
func TestOwnCollectionsComeBack(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sms.yaml", "rcs.yaml", "messaging.yaml", "portal-1.0.yaml"} {
		data, err := seed.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d, err := openapi.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		api, err := model.Compile(d.Parts)
		if err != nil {
			t.Fatal(err)
		}
		s := postman.Source{ID: name, Name: api.Title, Base: "base_url", Server: "https://api.example.com", Address: func(string) string { return "https://api.example.com" }}
		for _, c := range api.Categories {
			s.Folders = append(s.Folders, postman.Folder{Name: c.Name, Description: c.Description, Endpoints: c.Endpoints})
		}
		collection, err := postman.Collection(s)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(collection)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want, got := traits(t, d), traits(t, r.Document)
		for trait := range want {
			if !got[trait] {
				t.Errorf("%s loses %s", name, trait)
			}
		}
	}
}

// traits lists the methods with their paths, and the parameters in the query and the path.
func traits(t *testing.T, d *openapi.Document) map[string]bool {
	t.Helper()
	list := map[string]bool{}
	for _, o := range d.Operations {
		call := o.Method + " " + shape(o.Path)
		list[call] = true
		n, err := tree.Read(o.Raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range n.List("parameters") {
			if in := p.Str("in"); in == "query" {
				list[fmt.Sprintf("%s with %s in the %s", call, p.Str("name"), in)] = true
			}
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
	return strings.Join(slices.Clip(parts), "/")
}
