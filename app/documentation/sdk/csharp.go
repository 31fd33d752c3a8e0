package sdk

import (
	"fmt"
	"strings"
	"sync"
	"text/template"
)

var csharpTemplates = sync.OnceValue(func() *template.Template {
	return templates("csharp", template.FuncMap{
		"csType": csType, "csRead": csRead, "csSet": csSet, "csReturn": csReturn, "csBody": csBody, "csStart": csStart, "csHasInput": goInput,
		"csBool": func(b bool) string { return fmt.Sprint(b) }, "csMember": func(p *Param, _ *Resource) string { return p.Name.Pascal }, "csField": csField,
	})
})

func csharpFiles(v *view) ([]File, error) {
	v.Quick = csQuick(v)
	return v.execute(csharpTemplates(), [][2]string{
		{"Runtime.cs", "src/Runtime.cs"}, {"Client.cs", "src/Client.cs"}, {"Resources.cs", "src/Resources.cs"}, {"Models.cs", "src/Models.cs"},
		{"project.csproj", v.Namespace() + ".csproj"}, {"Quickstart.cs", "examples/Quickstart.cs"}, {"example.csproj", "examples/Quickstart.csproj"},
	})
}

func csType(v *view, t *Type) string {
	switch t.Kind {
	case String:
		return "string"
	case Integer:
		return "long?"
	case Number:
		return "double?"
	case Boolean:
		return "bool?"
	case Binary:
		return v.Namespace() + ".FileData"
	case Array:
		return "IList<" + csType(v, t.Elem) + ">"
	case Map:
		return "IDictionary<string, " + csType(v, t.Elem) + ">"
	case Ref:
		return v.Namespace() + ".Models." + t.Model.Name.Pascal
	}
	return "object"
}

func csRead(v *view, t *Type, value string, level int) string {
	inner, json := fmt.Sprintf("x%d", level), v.Namespace()+".Json."
	switch t.Kind {
	case String:
		return json + "String(" + value + ")"
	case Integer:
		return json + "Integer(" + value + ")"
	case Number:
		return json + "Number(" + value + ")"
	case Boolean:
		return json + "Bool(" + value + ")"
	case Binary:
		return json + "File(" + value + ")"
	case Array:
		return fmt.Sprintf("%sList(%s, %s => %s)", json, value, inner, csRead(v, t.Elem, inner, level+1))
	case Map:
		return fmt.Sprintf("%sMap(%s, %s => %s)", json, value, inner, csRead(v, t.Elem, inner, level+1))
	case Ref:
		name := csType(v, t)
		if t.Model.Kind == Object {
			return fmt.Sprintf("%sModel(%s, %s => new %s(%s))", json, value, inner, name, inner)
		}
		return fmt.Sprintf("%sOf(%s, %s.Of_)", json, value, name)
	}
	return value
}

// csField returns the name of a property, which cannot be the name of its class.
func csField(f *Field, m *Model) string {
	if f.Name.Pascal == m.Name.Pascal {
		return f.Name.Pascal + "_"
	}
	return f.Name.Pascal
}

func csSet(p *Param) string {
	value, q := "p."+p.Name.Pascal, quote(p.Wire)
	switch p.In {
	case "path":
		return fmt.Sprintf(".Path(%s, %s, %t, %t, %s)", q, quote(p.Style), p.Explode, p.JSON, value)
	case "query":
		return fmt.Sprintf(".Query(%s, %t, %s, %t, %t, %t, %s)", q, p.Required, quote(p.Style), p.Explode, p.AllowReserved, p.JSON, value)
	case "cookie":
		return fmt.Sprintf(".Cookie(%s, %t, %s)", q, p.Required, value)
	}
	return fmt.Sprintf(".Header(%s, %t, %t, %t, %s)", q, p.Required, p.Explode, p.JSON, value)
}

func csReturn(v *view, m *Method) string {
	switch {
	case m.Result == nil:
		return "Task"
	case m.Result.Kind == BodyBinary:
		return "async Task<Stream>"
	}
	return "Task<" + csType(v, m.Result.Type) + ">"
}

func csBody(v *view, b *Body) string {
	if b.Kind == BodyBinary {
		return "object"
	}
	return csType(v, b.Type)
}

func csStart(m *Method) string {
	if p := m.Page.Param; p != nil && p.Type.Kind == Integer {
		return "p." + p.Name.Pascal
	}
	return "null"
}

func csQuick(v *view) string {
	m := v.First
	if m == nil {
		return "        Console.WriteLine(client);\n"
	}
	arguments := ""
	if goInput(m) {
		var list []string
		for _, e := range m.Example {
			t, _ := argumentType(m, e.Name)
			value, ok := simpleLiteral(t, e.Value, quote)
			if !ok || t.Kind == Ref {
				value = csRead(v, t, v.Namespace()+".Json.Parse("+quote(string(e.Value.JSON()))+")", 0)
			}
			list = append(list, e.Name.Pascal+" = "+value)
		}
		arguments = "new " + v.Namespace() + "." + m.Input.Pascal + " { " + strings.Join(list, ", ") + " }"
	}
	call := fmt.Sprintf("client.%s.%sAsync(%s)", m.Resource.Name.Pascal, m.Name.Pascal, arguments)
	if m.Result == nil {
		return "        " + call + ".Wait();\n"
	}
	return "        Console.WriteLine(" + v.Namespace() + ".Json.Write(" + call + ".Result));\n"
}
