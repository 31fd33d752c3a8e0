package sdk

import (
	"fmt"
	"strings"
	"sync"
	"text/template"

	"heliograph/app/documentation/openapi/naming"
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

var csTypes = typeWords{
	String: "string", Integer: "long?", Number: "double?", Boolean: "bool?", Binary: "PACKAGE.FileData", Any: "object",
	Array: "IList<ELEMENT>", Map: "IDictionary<string, ELEMENT>", Ref: "PACKAGE.Models.MODEL",
}

func csType(v *view, t *Type) string {
	return csTypes.spell(t, v.Namespace(), func(elem *Type) string { return csType(v, elem) })
}

func csRead(v *view, t *Type, value string, level int) string {
	inner, json := fmt.Sprintf("x%d", level), v.Namespace()+".Json."
	switch t.Kind {
	case Any:
		return value
	case Array, Map:
		return fmt.Sprintf("%s%s(%s, %s => %s)", json, naming.Capital(jsonReaders[t.Kind]), value, inner, csRead(v, t.Elem, inner, level+1))
	case Ref:
		name := csType(v, t)
		if t.Model.Kind == Object {
			return fmt.Sprintf("%sModel(%s, %s => new %s(%s))", json, value, inner, name, inner)
		}
		return fmt.Sprintf("%sOf(%s, %s.Of_)", json, value, name)
	}
	return json + naming.Capital(jsonReaders[t.Kind]) + "(" + value + ")"
}

// csField returns the name of a property, which cannot be the name of its class.
func csField(f *Field, m *Model) string {
	if f.Name.Pascal == m.Name.Pascal {
		return f.Name.Pascal + "_"
	}
	return f.Name.Pascal
}

func csSet(p *Param) string { return setter(p, "p."+p.Name.Pascal, naming.Capital(p.In)) }

func csReturn(v *view, m *Method) string {
	return resultType(m, "Task", "async Task<Stream>", func(t *Type) string { return "Task<" + csType(v, t) + ">" })
}

func csBody(v *view, b *Body) string { return bodyType(b, "object", csType(v, b.Type)) }

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
