package sdk

import (
	"bytes"
	"fmt"
	"go/format"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"heliograph/app/documentation/openapi/tree"
)

var goTemplates = sync.OnceValue(func() *template.Template {
	return templates("golang", template.FuncMap{
		"quote": quoteLong, "goType": goType, "goField": goField, "goParam": goParam, "goBody": goBody, "goSet": goSet, "goSetBody": goSetBody,
		"goReturn": goReturn, "goResult": goResult, "goPointer": goPointer, "goInput": goInput, "goStart": goStart, "goFields": goFields,
		"goConst": goConst, "goTop": goTop,
	})
})

func goFiles(v *view) ([]File, error) {
	v.Quick = goQuick(v)
	list, err := v.execute(goTemplates(), [][2]string{
		{"client.go", "client.go"}, {"errors.go", "errors.go"}, {"values.go", "values.go"}, {"webhooks.go", "webhooks.go"}, {"api.go", "api.go"}, {"models.go", "models.go"},
		{"go.mod", "go.mod"}, {"examples_quickstart_main.go", "examples/quickstart/main.go"},
	})
	for i, f := range list {
		if strings.HasSuffix(f.Path, ".go") {
			if list[i].Data, err = format.Source(f.Data); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Path, err)
			}
		}
	}
	return list, err
}

var goTypes = typeWords{
	String: "string", Integer: "int64", Number: "float64", Boolean: "bool", Binary: "File", Any: "any", Array: "[]ELEMENT", Map: "map[string]ELEMENT", Ref: "MODEL",
}

// goType returns the type of a value that is there and not null.
func goType(t *Type) string { return goTypes.spell(t, "", goElem) }

func goElem(t *Type) string {
	if t.Nullable && !hasNil(t) {
		return "*" + goType(t)
	}
	return goType(t)
}

// hasNil reports whether the type of a value has nil.
func hasNil(t *Type) bool { return t.Kind == Array || t.Kind == Map || t.Kind == Any }

// isValidTag reports whether encoding/json takes a name from a tag.
func isValidTag(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r))
	})
}

// goFields lists the members that a struct can have. Others stay in Extra.
func goFields(m *Model) (list []*Field) {
	seen := map[string]bool{}
	for _, f := range m.Fields {
		if low := strings.ToLower(f.Wire); isValidTag(f.Wire) && !seen[low] {
			seen[low] = true // encoding/json does not tell them apart when it reads
			list = append(list, f)
		}
	}
	return list
}

func goField(f *Field) string {
	name := f.Wire
	if name == "-" {
		name = "-,"
	}
	kind, omit := goType(f.Type), ",omitzero"
	switch {
	case f.Type.Kind == Any && f.Required:
		omit = ""
	case hasNil(f.Type) && f.Required && f.Type.Nullable:
		omit = ""
	case hasNil(f.Type) && !f.Type.Nullable:
	case f.Required && f.Type.Nullable:
		kind, omit = "*"+kind, ""
	case f.Type.Nullable:
		if f.Type.Kind == Ref && f.Type.Model.Kind == Object {
			kind = "*" + kind
		}
		kind = "Nullable[" + kind + "]"
	case f.Required && (f.Type.Kind != Ref || f.Type.Model.Kind != Object):
		omit = ""
	default:
		kind = "*" + kind
	}
	return kind + " " + strconv.Quote("json:"+strconv.Quote(name+omit))
}

func goParam(p *Param) string {
	if p.Required || hasNil(p.Type) {
		return goType(p.Type)
	}
	return "*" + goType(p.Type)
}

func goBody(b *Body) string {
	switch {
	case b.Kind == BodyBinary:
		return "io.Reader"
	case b.Required && b.Type.Nullable && !hasNil(b.Type), !b.Required && !hasNil(b.Type):
		return "*" + goType(b.Type)
	}
	return goType(b.Type)
}

func goSet(p *Param) string {
	value, q := "params."+p.Name.Pascal, quoteLong(p.Wire)
	set := ""
	switch p.In {
	case "path":
		set = fmt.Sprintf("k.setPath(%s, %s, %t, %t, %s)", q, quoteLong(p.Style), p.Explode, p.JSON, value)
	case "query":
		set = fmt.Sprintf("k.setQuery(%s, %s, %t, %t, %t, %s)", q, quoteLong(p.Style), p.Explode, p.AllowReserved, p.JSON, value)
	case "header":
		set = fmt.Sprintf("k.setHeader(%s, %t, %t, %s)", q, p.Explode, p.JSON, value)
	case "cookie":
		set = fmt.Sprintf("k.setCookie(%s, %s)", q, value)
	default:
		return ""
	}
	return optional(value, p.Required, set)
}

func optional(value string, required bool, set string) string {
	if required {
		return "\t" + set + "\n"
	}
	return fmt.Sprintf("\tif %s != nil {\n\t\t%s\n\t}\n", value, set)
}

func goSetBody(b *Body) string {
	q, set := quoteLong(b.ContentType), ""
	switch b.Kind {
	case BodyBinary:
		return fmt.Sprintf("\tif params.Body != nil {\n\t\tk.setStream(%s, params.Body)\n\t}\n", q)
	case BodyText:
		value := "params.Body"
		if !b.Required {
			value = "*params.Body"
		}
		set = fmt.Sprintf("k.setText(%s, %s)", q, value)
	case BodyForm:
		set = "k.setForm(params.Body)"
	case BodyMultipart:
		set = goParts(b)
	default:
		set = fmt.Sprintf("k.setJSON(%s, params.Body)", q)
	}
	return optional("params.Body", b.Required, set)
}

func goParts(b *Body) string {
	var s strings.Builder
	s.WriteString("k.setMultipart(map[string]string{")
	for _, p := range b.Parts {
		fmt.Fprintf(&s, "%s: %s, ", quoteLong(p.Wire), quoteLong(p.ContentType))
	}
	s.WriteString("}, ")
	if b.Type.Kind != Ref {
		s.WriteString("partsOf(params.Body))")
		return s.String()
	}
	s.WriteString("append([]formPart{")
	for _, f := range goFields(b.Type.Model) {
		fmt.Fprintf(&s, "{%s, params.Body.%s}, ", quoteLong(f.Wire), f.Name.Pascal)
	}
	s.WriteString("}, extraParts(params.Body.Extra)...))")
	return s.String()
}

func goInput(m *Method) bool { return len(m.Params) > 0 || m.Body != nil }

func goResult(m *Method) string { return goType(m.Result.Type) }

// goPointer reports whether a method returns a pointer.
func goPointer(m *Method) bool {
	return m.Result != nil && m.Result.Kind == BodyJSON && m.Result.Type.Kind == Ref && m.Result.Type.Model.Kind == Object
}

func goReturn(m *Method) string {
	return resultType(m, "error", "(io.ReadCloser, error)", func(t *Type) string {
		if goPointer(m) {
			return "(*" + goType(t) + ", error)"
		}
		return "(" + goType(t) + ", error)"
	})
}

// goStart returns the value at which the pages of a list begin.
func goStart(m *Method) string {
	p := m.Page.Param
	if p == nil || m.Page.Kind != "offset" && m.Page.Kind != "page" {
		return "0"
	}
	start := "0"
	if m.Page.Kind == "page" {
		start = "1"
	}
	if p.Required {
		return "params." + p.Name.Pascal
	}
	return fmt.Sprintf("deref(params.%s, %s)", p.Name.Pascal, start)
}

// goConst returns the name of the constant of an enum's value.
func goConst(v *view, m *Model, value Value) string {
	return goTop(v, m.Name.Pascal+value.Name.Pascal, m)
}

// goTop returns a name at the top of the package that no model has.
func goTop(v *view, name string, of *Model) string {
	for _, m := range v.API.Models {
		if m != of && strings.EqualFold(m.Name.Pascal, name) {
			return name + "Value"
		}
	}
	return name
}

// goArgument sets an argument of the quick start.
func goArgument(m *Method, e ExampleArgument) string {
	t, required := argumentType(m, e.Name)
	literal, ok := simpleLiteral(t, e.Value, quoteLong)
	switch {
	case ok && t.Kind == Ref:
		literal = fmt.Sprintf("api.%s(%s)", goType(t), literal)
	case ok && !required && t.Kind == Integer:
		literal = "int64(" + literal + ")"
	case ok && !required && t.Kind == Number:
		literal = "float64(" + literal + ")"
	}
	switch {
	case ok && required:
		return fmt.Sprintf("\tparams.%s = %s\n", e.Name.Pascal, literal)
	case ok:
		return fmt.Sprintf("\tparams.%s = api.Ptr(%s)\n", e.Name.Pascal, literal)
	}
	text := e.Value.Pretty()
	if strings.Contains(text, "`") || clean(text) != text {
		text = quoteLong(string(e.Value.JSON()))
	} else {
		text = "`" + text + "`"
	}
	return fmt.Sprintf("\t_ = json.Unmarshal([]byte(%s), &params.%s)\n", text, e.Name.Pascal)
}

// simpleLiteral returns an example of a text, a number or a truth value as code, ok
// where there is one.
func simpleLiteral(t *Type, value *tree.Node, quoted func(string) string) (literal string, ok bool) {
	switch {
	case value.Is(tree.KindString) && (t.Kind == String || t.Kind == Ref && t.Model.Kind == Enum):
		return quoted(value.Text), true
	case value.Is(tree.KindBool) && t.Kind == Boolean:
		return value.Text, true
	case value.Is(tree.KindNumber) && t.Kind == Integer:
		_, err := strconv.ParseInt(value.Text, 10, 64)
		return value.Text, err == nil
	case value.Is(tree.KindNumber) && t.Kind == Number:
		return value.Text, true
	}
	return "", false
}

// goQuick returns the call of the quick start.
func goQuick(v *view) string {
	m := v.First
	if m == nil {
		return "\tresult, err := any(nil), error(nil)\n"
	}
	var b bytes.Buffer
	arguments := "context.Background()"
	if goInput(m) {
		fmt.Fprintf(&b, "\tvar params api.%s\n", m.Input.Pascal)
		for _, e := range m.Example {
			b.WriteString(goArgument(m, e))
		}
		arguments += ", params"
	}
	call := fmt.Sprintf("client.%s.%s(%s)", m.Resource.Name.Pascal, m.Name.Pascal, arguments)
	if m.Result == nil {
		fmt.Fprintf(&b, "\tresult, err := any(\"done\"), %s\n", call)
	} else {
		fmt.Fprintf(&b, "\tresult, err := %s\n", call)
	}
	return b.String()
}
