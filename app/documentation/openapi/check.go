package openapi

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	kinds "github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"heliograph/app/documentation/openapi/tree"
)

// schemaFiles are the official JSON Schemas of OpenAPI 3.0 and 3.1, unchanged,
// by the OpenAPI Initiative under the Apache License 2.0 (schemas/LICENSE).
//
//go:embed schemas/*.yaml
var schemaFiles embed.FS

// The entry schemas; 3.1 is the base that checks Schema Objects too.
const (
	schema30 = "https://spec.openapis.org/oas/3.0/schema/WORK-IN-PROGRESS"
	schema31 = "https://spec.openapis.org/oas/3.1/schema-base/WORK-IN-PROGRESS"
)

// english writes the messages of the JSON Schema validator.
var english = message.NewPrinter(language.English)

// structures are the compiled entry schemas by their id.
var structures = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	c := newCompiler()
	files, err := fs.Glob(schemaFiles, "schemas/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		data, err := schemaFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		n, err := tree.Read(data)
		if err != nil {
			return nil, fmt.Errorf("decoding %s: %w", path.Base(file), err)
		}
		if err := c.AddResource(n.Str("$id")+n.Str("id"), n.Plain()); err != nil {
			return nil, fmt.Errorf("adding %s: %w", path.Base(file), err)
		}
	}
	compiled := map[string]*jsonschema.Schema{}
	for _, id := range []string{schema30, schema31} {
		if compiled[id], err = c.Compile(id); err != nil {
			return nil, fmt.Errorf("compiling %s: %w", id, err)
		}
	}
	return compiled, nil
})

// newCompiler returns a JSON Schema compiler that loads no other resources and
// checks formats. Patterns that RE2 does not support accept every text.
func newCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(jsonschema.SchemeURLLoader{})
	c.AssertFormat()
	c.UseRegexpEngine(compilePattern)
	return c
}

// problem is a violation of a schema.
type problem struct {
	pointer string // JSON pointer of the value
	reason  string // lower-case, without a full stop
	extra   bool   // the value is a member that the schema does not know
}

// structureOf checks a whole document, and each variant as an operation of its
// own, against the official schema with the id.
func structureOf(root *tree.Node, id string) ([]problem, error) {
	compiled, err := structures()
	if err != nil {
		return nil, err
	}
	problems := problemsOf(compiled[id].Validate(root.Plain()))
	err = walk(root, place{part: partDocument}, func(n *tree.Node, at place) error {
		if at.part != partOperation || !strings.Contains(at.pointer, "/x-variants/") {
			return nil
		}
		alone := tree.Object(tree.Member{Key: "openapi", Value: root.Get("openapi")}, tree.Member{Key: "info", Value: root.Get("info")},
			tree.Member{Key: "paths", Value: tree.Object(tree.Member{Key: "/", Value: tree.Object(tree.Member{Key: "get", Value: n})})})
		for _, p := range problemsOf(compiled[id].Validate(alone.Plain())) {
			if rest, ok := strings.CutPrefix(p.pointer, "/paths/~1/get"); ok {
				p.pointer = at.pointer + rest
				problems = append(problems, p)
			}
		}
		return nil
	})
	return problems, err
}

// problemsOf lists the leaves of a validation error.
func problemsOf(err error) []problem {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil
	}
	var list []problem
	collect(invalid, &list)
	slices.SortStableFunc(list, func(a, b problem) int { return strings.Compare(a.pointer, b.pointer) })
	return slices.CompactFunc(list, func(a, b problem) bool { return a == b })
}

func collect(e *jsonschema.ValidationError, list *[]problem) {
	switch e.ErrorKind.(type) {
	case *kinds.AnyOf, *kinds.OneOf:
		if best := nearest(e.Causes); best != nil {
			collect(best, list)
			return
		}
	}
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			collect(cause, list)
		}
		return
	}
	pointer := ""
	for _, token := range e.InstanceLocation {
		pointer += "/" + tree.Escape(token)
	}
	switch k := e.ErrorKind.(type) {
	case *kinds.AdditionalProperties:
		for _, name := range k.Properties {
			*list = append(*list, problem{pointer + "/" + tree.Escape(name), "this member is not known here", true})
		}
	case *kinds.FalseSchema:
		*list = append(*list, problem{pointer, "this member is not known here", true})
	default:
		*list = append(*list, problem{pointer, e.ErrorKind.LocalizedString(english), false})
	}
}

// nearest returns the branch with the deepest errors, which is most likely the
// intended one.
func nearest(causes []*jsonschema.ValidationError) *jsonschema.ValidationError {
	var best *jsonschema.ValidationError
	depth := -1
	for _, c := range causes {
		if d := deepest(c); d > depth {
			best, depth = c, d
		}
	}
	return best
}

func deepest(e *jsonschema.ValidationError) int {
	d := len(e.InstanceLocation)
	for _, c := range e.Causes {
		d = max(d, deepest(c))
	}
	return d
}
