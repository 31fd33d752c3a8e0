package sdk

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"text/template"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

var pythonTemplates = sync.OnceValue(func() *template.Template {
	return templates("python", template.FuncMap{
		"quote": quoteLong, "pyType": pyType, "pyUnion": pyUnion, "pyModel": pyModel, "pyArguments": pyArguments, "pyValues": pyValues, "pyResult": pyResult,
		"pyDoc":  func(m *Method) string { return m.Doc + deprecatedText(m) },
		"pyBool": func(b bool) string { return map[bool]string{true: "True", false: "False"}[b] },
	})
})

func deprecatedText(m *Method) string {
	if m.Deprecated {
		return "\n\nDeprecated: the service will stop to offer it."
	}
	return ""
}

func pythonFiles(v *view) ([]File, error) {
	v.Quick = pythonQuick(v)
	list, err := v.execute(pythonTemplates(), [][2]string{
		{"init.py", v.Package + "/__init__.py"}, {"runtime.py", v.Package + "/_runtime.py"}, {"client.py", v.Package + "/_client.py"}, {"types.py", v.Package + "/types.py"},
		{"pyproject.toml", "pyproject.toml"}, {"quickstart.py", "examples/quickstart.py"},
	})
	return append(list, File{v.Package + "/py.typed", nil}), err
}

var pyTypes = typeWords{
	String: "str", Integer: "int", Number: "float", Boolean: "bool", Binary: "File", Any: "Any", Array: "List[ELEMENT]", Map: "Dict[str, ELEMENT]", Ref: `"MODEL"`,
}

// pyType returns the type of a value. Names of models are quoted, because they may
// stand before the model.
func pyType(t *Type, inTypes bool) string {
	s := pyTypes.spell(t, "", func(elem *Type) string { return pyType(elem, inTypes) })
	if t.Kind == Ref && !inTypes {
		s = "types." + t.Model.Name.Pascal
	}
	if t.Nullable && t.Kind != Any {
		return "Optional[" + s + "]"
	}
	return s
}

func pyUnion(m *Model) string {
	list := lists.Map(m.Variants, func(v Variant) string { return pyType(v.Type, true) })
	if len(list) == 0 {
		return "Any"
	}
	return "Union[" + strings.Join(list, ", ") + "]"
}

var pyIdentifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$|^_[A-Za-z0-9][A-Za-z0-9_]*$`)

var pyWords = set(`False None True and as assert async await break class continue def del elif else except finally for from global if
import in is lambda nonlocal not or pass raise return try while with yield`)

// pyModel writes an object as a TypedDict. Required and optional members stand in
// classes of their own, because Python 3.9 tells them apart in no other way.
func pyModel(m *Model) string {
	var required, rest []*Field
	for _, f := range m.Fields {
		if f.Required {
			required = append(required, f)
		} else {
			rest = append(rest, f)
		}
	}
	name := m.Name.Pascal
	plain := true
	for _, f := range m.Fields {
		plain = plain && pyIdentifier.MatchString(f.Wire) && !pyWords[f.Wire]
	}
	var b strings.Builder
	bases := "TypedDict"
	if len(required) > 0 && len(rest) > 0 || !plain {
		bases = ""
		for _, part := range []struct {
			suffix, total string
			fields        []*Field
		}{{"Required", "", required}, {"Optional", ", total=False", rest}} {
			if len(part.fields) == 0 || plain && part.suffix == "Optional" {
				continue
			}
			inner := "_" + name + part.suffix
			if plain {
				fmt.Fprintf(&b, "class %s(TypedDict%s):\n%s\n\n", inner, part.total, pyFields(part.fields))
			} else {
				fmt.Fprintf(&b, "%s = TypedDict(\"%s\", {\n", inner, inner)
				for _, f := range part.fields {
					fmt.Fprintf(&b, "    %s: %s,\n", quoteLong(f.Wire), pyType(f.Type, true))
				}
				fmt.Fprintf(&b, "}%s)\n\n", part.total)
			}
			bases += inner + ", "
		}
		bases = strings.TrimSuffix(bases, ", ")
	}
	if len(rest) > 0 {
		bases += ", total=False"
	}
	fmt.Fprintf(&b, "class %s(%s):\n", name, bases)
	text := m.Doc
	if len(prose(text)) == 0 {
		text = name + " is part of the API."
	}
	b.WriteString(docString("    ", text))
	switch {
	case !plain:
	case len(rest) > 0:
		b.WriteString("\n" + pyFields(rest))
	default:
		b.WriteString("\n" + pyFields(required))
	}
	return b.String() + "\n"
}

func pyFields(fields []*Field) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(lineComment("    ", "#", f.Doc))
		fmt.Fprintf(&b, "    %s: %s\n", f.Wire, pyType(f.Type, true))
	}
	return b.String()
}

// pyArguments lists the arguments of a method, required ones first.
func pyArguments(m *Method) string {
	list := []string{"self"}
	if goInput(m) {
		list = append(list, "*")
	}
	var rest []string
	add := func(name, kind string, required bool) {
		if required {
			list = append(list, name+": "+kind)
		} else {
			rest = append(rest, name+": Optional["+kind+"] = None")
		}
	}
	for _, p := range m.Params {
		t := *p.Type
		t.Nullable = false
		add(p.Name.Snake, pyType(&t, false), p.Required)
	}
	if b := m.Body; b != nil {
		kind := pyType(b.Type, false)
		if b.Kind == BodyBinary {
			kind = "Union[bytes, str, BinaryIO, Iterable[bytes]]"
		}
		add("body", kind, b.Required)
	}
	list = append(append(list, rest...), "options: Optional[RequestOptions] = None")
	return strings.Join(list, ", ")
}

func pyValues(m *Method) string {
	list := lists.Map(m.Params, func(p *Param) string { return quoteLong(p.Name.Snake) + ": " + p.Name.Snake })
	if m.Body != nil {
		list = append(list, `"body": body`)
	}
	return "{" + strings.Join(list, ", ") + "}"
}

func pyResult(m *Method) string {
	return resultType(m, "None", "BinaryResponse", func(t *Type) string { return pyType(t, false) })
}

func pythonQuick(v *view) string {
	m := v.First
	if m == nil {
		return "result = client\n"
	}
	list := lists.Map(m.Example, func(e ExampleArgument) string { return e.Name.Snake + "=" + pyLiteral(e.Value, "") })
	return fmt.Sprintf("result = client.%s.%s(%s)\n", m.Resource.Name.Snake, m.Name.Snake, strings.Join(list, ", "))
}

// pyLiteral writes a value of JSON in Python, a long one in lines with an indent.
func pyLiteral(n *tree.Node, indent string) string {
	switch n.Kind {
	case tree.KindBool:
		return map[bool]string{true: "True", false: "False"}[n.Text == "true"]
	case tree.KindNumber:
		return n.Text
	case tree.KindString:
		return quoteLong(n.Text)
	case tree.KindArray:
		list := lists.Map(n.Items, func(v *tree.Node) string { return pyLiteral(v, indent+"    ") })
		return pyList(n, "[", list, "]", indent)
	case tree.KindObject:
		list := lists.Map(n.Members, func(m tree.Member) string { return quoteLong(m.Key) + ": " + pyLiteral(m.Value, indent+"    ") })
		return pyList(n, "{", list, "}", indent)
	}
	return "None"
}

func pyList(n *tree.Node, opens string, list []string, closes, indent string) string {
	if len(n.JSON()) <= maxLine {
		return opens + strings.Join(list, ", ") + closes
	}
	return opens + "\n    " + indent + strings.Join(list, ",\n    "+indent) + ",\n" + indent + closes
}
