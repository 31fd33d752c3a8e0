package model_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/openapi/spectest"
)

var update = flag.Bool("update", false, "write the golden files again")

// golden compares with a file of testdata, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(spectest.ReadFile(t, path)), got); diff != "" {
		t.Errorf("%s (-golden +got):\n%s", name, diff)
	}
}

// outline writes a model as text that people can check.
func outline(a *model.API) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %+v\n", a.Title, a.Version, a.Servers)
	for _, c := range a.Categories {
		fmt.Fprintf(&b, "\n## %s (%s) %s\n", c.Name, c.Slug, c.Description)
		for _, e := range c.Endpoints {
			fmt.Fprintf(&b, "\n### %s %s [%s] %q deprecated=%t\n%s\nparts %v\nauth %v\n", e.Method, e.Path, e.Slug, e.Name, e.Deprecated, e.Purpose, e.PathParts, e.Auth)
			for _, g := range e.Parameters {
				fmt.Fprintf(&b, "%s:\n", g.In)
				fields(&b, g.Fields, 1)
			}
			bodies(&b, "body", e.Bodies)
			for _, r := range e.Responses {
				fmt.Fprintf(&b, "response %s %s: %s\n", r.Status, r.Title, r.Description)
				fields(&b, r.Headers, 1)
				bodies(&b, "  body", r.Bodies)
			}
			call, _ := sample.Write(e, e.Servers[0].URL, "curl", 0)
			fmt.Fprintf(&b, "%s\n", call)
		}
	}
	for _, s := range a.Schemas {
		fmt.Fprintf(&b, "\nschema %s", s.Name)
		for _, e := range s.Endpoints {
			fmt.Fprintf(&b, " %s", e.Slug)
		}
		fmt.Fprintln(&b)
		fields(&b, []*model.Field{s.Root}, 1)
		fmt.Fprintln(&b, s.Example)
	}
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "warning %v\n", w)
	}
	return b.String()
}

func bodies(b *strings.Builder, word string, list []model.Body) {
	for _, body := range list {
		fmt.Fprintf(b, "%s %s required=%t %s\n", word, body.ContentType, body.Required, body.Description)
		if body.Root != nil {
			fields(b, []*model.Field{body.Root}, 2)
		}
		for _, e := range body.Examples {
			fmt.Fprintf(b, "    example %q %q generated=%t\n%s\n", e.Name, e.Summary, e.Generated, e.Value)
		}
	}
}

func fields(b *strings.Builder, list []*model.Field, level int) {
	for _, f := range list {
		fmt.Fprintf(b, "%s%s #%s: %s", strings.Repeat("  ", level), f.Name, f.Path, f.Type)
		for _, word := range []struct {
			name string
			set  bool
		}{{"required", f.Required}, {"deprecated", f.Deprecated}, {"read only", f.ReadOnly}, {"write only", f.WriteOnly}, {"nullable", f.Nullable}, {"truncated", f.Truncated}} {
			if word.set {
				fmt.Fprintf(b, ", %s", word.name)
			}
		}
		for _, word := range [][2]string{{"format", f.Format}, {"default", f.Default}, {"example", f.Example}, {"schema", f.Schema}, {"recursive", f.Recursive}, {"says", f.Description},
			{"constraints", strings.Join(f.Constraints, "; ")}, {"enum", strings.Join(f.Enum, "|")}} {
			if word[1] != "" {
				fmt.Fprintf(b, ", %s=%q", word[0], word[1])
			}
		}
		b.WriteString("\n")
		fields(b, f.Children, level+1)
		for _, v := range f.Variants {
			fmt.Fprintf(b, "%s~ %s (%s)\n", strings.Repeat("  ", level+1), v.Name, v.Slug)
			fields(b, []*model.Field{v.Field}, level+2)
		}
	}
}

func TestCompileGolden(t *testing.T) {
	t.Parallel()
	golden(t, "variants.txt", outline(spectest.Compile(t, spectest.ReadFile(t, "../testdata/variants.yaml"))))
}

// TestAnchors holds anchors to being unique within a page and safe in a URL.
func TestAnchors(t *testing.T) {
	t.Parallel()
	list := append(corpus.Seeds(t), corpus.Document{Name: "variants.yaml", Data: spectest.ReadFile(t, "../testdata/variants.yaml")})
	for _, document := range append(list, corpus.Real(t)...) {
		for _, c := range spectest.Compile(t, document.Data).Categories {
			for _, e := range c.Endpoints {
				seen := map[string]bool{}
				var visit func(f *model.Field)
				visit = func(f *model.Field) {
					if seen[f.Path] {
						t.Errorf("%s %s: the anchor %s is there twice", document.Name, e.ID, f.Path)
					}
					seen[f.Path] = true
					if strings.ContainsFunc(f.Path, func(r rune) bool { return r > 126 || strings.ContainsRune(" #[]{}<>\"'`\\^|", r) }) {
						t.Errorf("%s %s: the anchor %q is not safe", document.Name, e.ID, f.Path)
					}
					for _, child := range f.Children {
						visit(child)
					}
					for _, v := range f.Variants {
						visit(v.Field)
					}
				}
				for _, g := range e.Parameters {
					for _, f := range g.Fields {
						visit(f)
					}
				}
				for _, b := range e.Bodies {
					if b.Root != nil {
						visit(b.Root)
					}
				}
				for _, r := range e.Responses {
					for _, f := range r.Headers {
						visit(f)
					}
					for _, b := range r.Bodies {
						if b.Root != nil {
							visit(b.Root)
						}
					}
				}
			}
		}
	}
}

// TestExamplesAreJSON holds every example of a JSON body to being JSON.
func TestExamplesAreJSON(t *testing.T) {
	t.Parallel()
	api := spectest.Compile(t, spectest.ReadFile(t, "../testdata/variants.yaml"))
	for _, c := range api.Categories {
		for _, e := range c.Endpoints {
			for _, r := range e.Responses {
				for _, b := range r.Bodies {
					for _, x := range b.Examples {
						if b.ContentType == "application/json" && !json.Valid([]byte(x.Value)) {
							t.Errorf("%s %s: %s", e.ID, r.Status, x.Value)
						}
					}
				}
			}
		}
	}
}
