package sdk

import (
	"encoding/json"
	"fmt"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// common returns the files that archives of all languages have.
func (v *view) common() []File {
	return []File{
		{"README.md", []byte(v.readme())},
		{"REFERENCE.md", []byte(v.reference())},
		{"CHANGELOG.md", []byte(v.changelog())},
		{"LICENSE", []byte(strings.TrimSpace(clean(v.API.License.Text)) + "\n")},
		{"openapi.json", []byte(v.API.Document.Pretty() + "\n")},
		{"openapi.yaml", v.API.Document.YAML()},
		{"catalogue.json", []byte(v.catalogue())},
		{"project.json", []byte(inJSON(map[string]any{
			"product": v.API.Product, "version": v.API.Version, "release": v.API.Release, "sdk_version": v.API.SDKVersion, "language": v.Lang.Slug,
			"openapi_sha256": v.API.Hash, "generator": v.API.Generator, "publisher": v.API.Publisher, "documentation": v.API.PageURL, "license": v.API.License.ID,
		}) + "\n")},
	}
}

// catalogue lists the endpoints with the methods that call them.
func (v *view) catalogue() string {
	type entry struct {
		Resource    string `json:"resource"`
		Method      string `json:"method"`
		OperationID string `json:"operation_id"`
		Name        string `json:"name"`
		Verb        string `json:"http_method"`
		Path        string `json:"path"`
		Deprecated  bool   `json:"deprecated"`
		Idempotent  bool   `json:"repeatable"`
		Pages       bool   `json:"pages"`
		URL         string `json:"url"`
	}
	list := []entry{}
	for _, r := range v.API.Resources {
		for _, m := range r.Methods {
			list = append(list, entry{
				Resource: v.member(r.Name), Method: v.member(m.Name), OperationID: m.ID, Name: clean(m.Title), Verb: m.Verb, Path: m.Path, Deprecated: m.Deprecated,
				Idempotent: m.Idempotency != "" || m.Verb != "POST" && m.Verb != "PATCH", Pages: m.Page != nil, URL: v.API.PageURL + "/" + m.Slug,
			})
		}
	}
	return inJSON(map[string]any{"product": v.API.Product, "version": v.API.Version, "base_url": v.API.BaseURL, "endpoints": list}) + "\n"
}

// member returns a name as the language spells it.
func (v *view) member(n Name) string {
	switch v.Lang.Slug {
	case "python":
		return n.Snake
	case "go", "csharp":
		return n.Pascal
	}
	return n.Camel
}

func (v *view) changelog() string {
	var b strings.Builder
	b.WriteString("# Changes\n")
	for _, c := range v.API.Changes {
		fmt.Fprintf(&b, "\n## %s (%s)\n\n", oneLine(c.Version), oneLine(c.Date))
		for _, line := range c.Lines {
			b.WriteString("- " + oneLine(line) + "\n")
		}
		if len(c.Lines) == 0 {
			b.WriteString("- Nothing that programs see.\n")
		}
	}
	if len(v.API.Changes) == 0 {
		fmt.Fprintf(&b, "\n## %s\n\n- First release.\n", oneLine(v.API.SDKVersion))
	}
	return b.String()
}

// call returns the expression that calls a method.
func (v *view) call(m *Method) string {
	resource, method := v.member(m.Resource.Name), v.member(m.Name)
	switch v.Lang.Slug {
	case "php":
		return "$client->" + resource + "->" + method
	case "java":
		return "client." + resource + "()." + method
	case "csharp":
		return "client." + resource + "." + method + "Async"
	}
	return "client." + resource + "." + method
}

// markdown escapes a text for a table or a list of Markdown.
func markdown(text string) string {
	text = strings.NewReplacer("|", "\\|", "<", "&lt;", ">", "&gt;", "[", "\\[").Replace(oneLine(text))
	return text
}

// reference lists every method with its arguments, in Markdown.
func (v *view) reference() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Methods of %s for %s\n", markdown(v.API.Name), v.Lang.Title)
	for _, r := range v.API.Resources {
		fmt.Fprintf(&b, "\n## %s\n", v.member(r.Name))
		for _, m := range r.Methods {
			fmt.Fprintf(&b, "\n### `%s`\n\n`%s %s`\n", v.call(m), oneLine(m.Verb), oneLine(m.Path))
			if m.Deprecated {
				b.WriteString("\n**Deprecated.**\n")
			}
			if m.Title != "" {
				fmt.Fprintf(&b, "\n%s.\n", strings.TrimSuffix(markdown(m.Title), "."))
			}
			if len(m.Params) > 0 || m.Body != nil {
				b.WriteString("\n| Argument | Type | Required | Sent as |\n|---|---|---|---|\n")
			}
			for _, p := range m.Params {
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s `%s` |\n", v.member(p.Name), words(p.Type), yes(p.Required), p.In, oneLine(p.Wire))
			}
			if m.Body != nil {
				fmt.Fprintf(&b, "| `%s` | %s | %s | body, `%s` |\n", v.member(m.Body.Name), words(m.Body.Type), yes(m.Body.Required), oneLine(m.Body.ContentType))
			}
			if m.Result != nil {
				fmt.Fprintf(&b, "\nReturns %s.\n", words(m.Result.Type))
			}
			if m.Page != nil {
				fmt.Fprintf(&b, "\n`%s` goes through the items of all pages.\n", v.member(m.Page.Name))
			}
		}
	}
	return b.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// words returns a type for readers.
func words(t *Type) string {
	s := ""
	switch t.Kind {
	case Array:
		s = "list of " + words(t.Elem)
	case Map:
		s = "map of " + words(t.Elem)
	case Ref:
		s = "`" + t.Model.Name.Pascal + "`"
	case Any:
		return "any value"
	case Binary:
		s = "bytes"
	default:
		s = t.Kind
	}
	if t.Nullable {
		s += " or null"
	}
	return s
}

// maxLine is the number of bytes of an example that stands in one line.
const maxLine = 60

// asciiJSON writes a value as JSON in ASCII, which is code of JavaScript too.
func asciiJSON(n *tree.Node) string {
	text := string(n.JSON())
	if len(text) > maxLine {
		text = n.Pretty()
	}
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			writeUnits(&b, r)
		}
	}
	if !json.Valid([]byte(b.String())) {
		return "null"
	}
	return b.String()
}
