package sdk

import (
	"fmt"
	"strings"
	"sync"
	"text/template"
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

func nodeType(t *Type) string {
	switch t.Kind {
	case String:
		return "string"
	case Integer:
		return "number | bigint"
	case Number:
		return "number"
	case Boolean:
		return "boolean"
	case Binary:
		return "FileData"
	case Array:
		return "Array<" + nodeNullable(t.Elem) + ">"
	case Map:
		return "Record<string, " + nodeNullable(t.Elem) + ">"
	case Ref:
		return t.Model.Name.Pascal
	}
	return "any"
}

func nodeNullable(t *Type) string {
	if t.Nullable && t.Kind != Any {
		return nodeType(t) + " | null"
	}
	return nodeType(t)
}

// noRequired reports whether a method can be called without arguments.
func noRequired(m *Method) bool {
	for _, p := range m.Params {
		if p.Required {
			return false
		}
	}
	return m.Body == nil || !m.Body.Required
}

func nodeResult(m *Method) string {
	switch {
	case m.Result == nil:
		return "void"
	case m.Result.Kind == BodyBinary:
		return "BinaryResponse"
	}
	return nodeNullable(m.Result.Type)
}

func nodeBody(b *Body) string {
	if b.Kind == BodyBinary {
		return "BinaryBody"
	}
	return nodeNullable(b.Type)
}

// nodeQuick returns the call of the quick start. JSON is JavaScript.
func nodeQuick(v *view) string {
	m := v.First
	if m == nil {
		return "const result = client;\n"
	}
	var list []string
	for _, e := range m.Example {
		list = append(list, e.Name.Camel+": "+asciiJSON(e.Value))
	}
	arguments := ""
	if len(list) > 0 {
		arguments = "{ " + strings.Join(list, ", ") + " }"
	}
	return fmt.Sprintf("const result = await client.%s.%s(%s);\n", m.Resource.Name.Camel, m.Name.Camel, arguments)
}
