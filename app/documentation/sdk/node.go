package sdk

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"

	"heliograph/app/lists"
)

var nodeTemplates = sync.OnceValue(func() *template.Template {
	return templates("node", template.FuncMap{
		"nodeType": nodeType, "nodeNullable": nodeNullable, "nodeInput": goInput, "nodeOptional": noRequired, "nodeResult": nodeResult, "nodeBody": nodeBody,
		"nodeOp":        func(m *Method) string { return "OP_" + m.Input.Upper },
		"deprecatedTag": deprecatedTag, "basicHint": basicHint,
	})
})

func deprecatedTag(deprecated bool) string {
	if deprecated {
		return "@deprecated"
	}
	return ""
}

func basicHint(s *Scheme) string {
	if s.Kind == "basic" {
		return " Its form is user:password."
	}
	return ""
}

func nodeFiles(v *view) ([]File, error) {
	v.Quick = nodeQuick(v)
	v.Manifest = inJSON(map[string]any{
		"name": v.Slug, "version": v.API.SDKVersion, "description": oneLine("Client of " + v.API.Name), "type": "module", "license": v.API.License.ID, "author": v.API.Publisher, "homepage": v.API.PageURL,
		"main": "./index.js", "types": "./index.d.ts", "exports": map[string]any{".": map[string]string{"types": "./index.d.ts", "default": "./index.js"}, "./package.json": "./package.json"},
		"engines": map[string]string{"node": ">=18"}, "files": []string{"*.js", "*.d.ts", "*.md", "*.json", "openapi.yaml", "examples"}, "sideEffects": false,
	})
	return v.execute(nodeTemplates(), [][2]string{
		{"runtime.js", "runtime.js"}, {"index.js", "index.js"}, {"index.d.ts", "index.d.ts"}, {"package.json", "package.json"}, {"quickstart.mjs", "examples/quickstart.mjs"},
	})
}

// execute runs templates by the paths of the files that they make.
func (v *view) execute(t *template.Template, files [][2]string) (list []File, err error) {
	for _, f := range files {
		data, err := execute(t, f[0]+".tmpl", v)
		if err != nil {
			return nil, err
		}
		list = append(list, File{f[1], data})
	}
	return list, nil
}

var nodeTypes = typeWords{
	String: "string", Integer: "number | bigint", Number: "number", Boolean: "boolean", Binary: "FileData", Any: "any",
	Array: "Array<ELEMENT>", Map: "Record<string, ELEMENT>", Ref: "MODEL",
}

func nodeType(t *Type) string { return nodeTypes.spell(t, "", nodeNullable) }

func nodeNullable(t *Type) string {
	if t.Nullable && t.Kind != Any {
		return nodeType(t) + " | null"
	}
	return nodeType(t)
}

// noRequired reports whether a method can be called without arguments.
func noRequired(m *Method) bool {
	return (m.Body == nil || !m.Body.Required) && !slices.ContainsFunc(m.Params, func(p *Param) bool { return p.Required })
}

func nodeResult(m *Method) string { return resultType(m, "void", "BinaryResponse", nodeNullable) }

func nodeBody(b *Body) string { return bodyType(b, "BinaryBody", nodeNullable(b.Type)) }

// nodeQuick returns the call of the quick start. JSON is JavaScript.
func nodeQuick(v *view) string {
	m := v.First
	if m == nil {
		return "const result = client;\n"
	}
	list := lists.Map(m.Example, func(e ExampleArgument) string { return e.Name.Camel + ": " + asciiJSON(e.Value) })
	arguments := ""
	if len(list) > 0 {
		arguments = "{ " + strings.Join(list, ", ") + " }"
	}
	return fmt.Sprintf("const result = await client.%s.%s(%s);\n", m.Resource.Name.Camel, m.Name.Camel, arguments)
}
