package sdk

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"text/template"

	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/lists"
)

var phpTemplates = sync.OnceValue(func() *template.Template {
	return templates("php", template.FuncMap{
		"phpType": phpType, "phpRead": phpRead, "phpArguments": phpArguments, "phpValues": phpValues, "phpResult": phpResult, "phpResultRead": phpResultRead,
		"phpReturn": phpReturn, "phpStart": phpStart, "deprecatedTag": deprecatedTag,
		"phpConst": func(name string) string { return map[bool]string{true: name + "_", false: name}[name == "CLASS"] },
	})
})

// Namespace returns the namespace of PHP and C#.
func (v *view) Namespace() string { return naming.Capital(v.Package) }

// Prefix returns the start of the names of PHP's classes.
func (v *view) Prefix() string { return v.Namespace() + `\` }

// ClientErrors lists the errors that no answer of the service causes.
func (v *view) ClientErrors() [][3]string { return clientErrors }

func phpFiles(v *view) ([]File, error) {
	v.Quick = phpQuick(v)
	v.Manifest = inJSON(map[string]any{
		"name": v.Slug + "/" + v.Slug, "description": oneLine("Client of " + v.API.Name), "type": "library", "license": phpLicense(v.API.License.ID), "version": v.API.SDKVersion,
		"authors": []map[string]string{{"name": v.API.Publisher}}, "homepage": v.API.PageURL,
		"require": map[string]string{"php": ">=8.1", "ext-curl": "*", "ext-json": "*"}, "autoload": map[string]any{"files": []string{"autoload.php"}},
	})
	list, err := v.execute(phpTemplates(), [][2]string{
		{"Runtime.php", "src/Runtime.php"}, {"Client.php", "src/Client.php"}, {"autoload.php", "autoload.php"}, {"composer.json", "composer.json"}, {"quickstart.php", "examples/quickstart.php"},
	})
	add := func(template, path string, part view) {
		if err == nil {
			var made []File
			made, err = part.execute(phpTemplates(), [][2]string{{template, "src/" + path}})
			list = append(list, made...)
		}
	}
	for _, r := range v.API.Resources {
		add("Resource.php", r.Type.Pascal+".php", view{Package: v.Package, Resource: r})
	}
	for _, m := range v.API.Models {
		add("ModelFile.php", "Models/"+m.Name.Pascal+".php", view{Package: v.Package, Model: m})
	}
	return list, err
}

// phpLicense returns a licence as composer knows it.
func phpLicense(id string) string {
	if strings.HasPrefix(id, "LicenseRef-") {
		return "proprietary"
	}
	return id
}

var phpTypes = typeWords{
	String: "?string", Integer: "int|string|null", Number: "?float", Boolean: "?bool", Binary: `?\PACKAGE\File`, Array: "?array", Map: "?array",
	Ref: `?\PACKAGE\Models\MODEL`, Any: "mixed",
}

// phpType returns the type of a value that may be absent or null.
func phpType(v *view, t *Type) string {
	if t.Kind == Ref && t.Model.Kind == Enum {
		return phpTypes[String]
	}
	return phpTypes.spell(t, v.Namespace(), func(*Type) string { return "" })
}

func phpRead(v *view, t *Type, value string, level int) string {
	inner, json := fmt.Sprintf("$x%d", level), `\`+v.Namespace()+`\Json::`
	kind := t.Kind
	switch {
	case kind == Any:
		return value
	case kind == Array || kind == Map:
		return fmt.Sprintf("%s%s(%s, fn (mixed %s): mixed => %s)", json, jsonReaders[kind], value, inner, phpRead(v, t.Elem, inner, level+1))
	case kind == Ref && t.Model.Kind == Enum:
		kind = String
	case kind == Ref:
		call := map[bool]string{true: "model(", false: "of("}[t.Model.Kind == Object]
		return json + call + value + `, \` + v.Namespace() + `\Models\` + t.Model.Name.Pascal + "::class)"
	}
	return json + jsonReaders[kind] + "(" + value + ")"
}

// phpArguments lists the arguments of a method, required ones first.
func phpArguments(v *view, m *Method) string {
	type argument struct {
		text     string
		required bool
	}
	var list []argument
	for _, p := range m.Params {
		kind := phpType(v, p.Type)
		if p.Required {
			kind = strings.TrimSuffix(strings.TrimPrefix(kind, "?"), "|null")
		}
		list = append(list, argument{kind + " $" + p.Name.Camel, p.Required})
	}
	if b := m.Body; b != nil {
		kind := phpType(v, b.Type)
		switch {
		case b.Kind == BodyBinary:
			kind = "mixed"
		case b.Required && !b.Type.Nullable:
			kind = strings.TrimSuffix(strings.TrimPrefix(kind, "?"), "|null")
		}
		list = append(list, argument{kind + " $body", b.Required})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].required && !list[j].required })
	var texts []string
	for _, a := range list {
		if !a.required {
			a.text += " = null"
		}
		texts = append(texts, a.text)
	}
	return strings.Join(append(texts, "?CallOptions $options = null"), ", ")
}

func phpValues(m *Method) string {
	list := lists.Map(m.Params, func(p *Param) string { return "'" + p.Name.Camel + "' => $" + p.Name.Camel })
	if m.Body != nil {
		list = append(list, "'body' => $body")
	}
	return strings.Join(list, ", ")
}

func phpResult(v *view, m *Method) string {
	return resultType(m, "void", "mixed", func(t *Type) string { return phpType(v, t) })
}

func phpResultRead(v *view, m *Method) string {
	if m.Result.Kind == BodyBinary {
		return "$v"
	}
	return phpRead(v, m.Result.Type, "$v", 0)
}

func phpReturn(m *Method) string {
	if m.Result != nil && m.Result.Kind == BodyBinary {
		return "@return resource"
	}
	return ""
}

func phpStart(m *Method) string {
	if p := m.Page.Param; p != nil && p.Type.Kind == Integer {
		return "$" + p.Name.Camel + " === null ? null : (int) $" + p.Name.Camel
	}
	return "null"
}

func phpQuick(v *view) string {
	m := v.First
	if m == nil {
		return "var_dump($client);\n"
	}
	var list []string
	for _, e := range m.Example {
		t, _ := argumentType(m, e.Name)
		value, ok := simpleLiteral(t, e.Value, quoteSingle)
		if !ok {
			value = phpRead(v, t, `\`+v.Namespace()+`\Json::parse(`+quoteSingle(string(e.Value.JSON()))+")", 0)
		}
		list = append(list, e.Name.Camel+": "+value)
	}
	call := fmt.Sprintf("$client->%s->%s(%s)", m.Resource.Name.Camel, m.Name.Camel, strings.Join(list, ", "))
	if m.Result == nil {
		return call + ";\n"
	}
	return "echo \\" + v.Namespace() + "\\Json::write(" + call + "), PHP_EOL;\n"
}
