package console

import (
	"encoding/json"
	"strings"

	"heliograph/app/documentation/console"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/reference"
	views "heliograph/views/reader/console"
	"heliograph/views/ui"
)

// newBody shows the body of a form.
func newBody(e *model.Endpoint, a asked, action string) views.Body {
	if len(e.Bodies) == 0 || e.Method == "GET" || e.Method == "HEAD" {
		return views.Body{}
	}
	body, example := chooseBody(e, a.entry.ContentType, a.example)
	b := views.Body{
		Exists: true, Reload: action, Types: ui.Select{Name: typeField, Label: "Content type", Value: body.ContentType},
		Examples: ui.Select{Name: exampleField, Label: "Example", Value: example.Name},
	}
	for _, other := range e.Bodies {
		b.Types.Options = append(b.Types.Options, ui.Option{Value: other.ContentType, Label: other.ContentType})
	}
	for _, x := range body.Examples {
		b.Examples.Options = append(b.Examples.Options, ui.Option{Value: x.Name, Label: reference.ExampleTitle(x)})
	}
	problem := func(name string) string {
		if a.problems == nil {
			return ""
		}
		return a.problems.Fields[name]
	}
	switch media.KindOf(body.ContentType) {
	case media.Multipart:
		b.Parts, b.Files = parts(body, example, a)
		return b
	case media.Binary:
		b.Files = []views.File{{Name: wholeFile, Label: "File", Hint: "Sent as " + body.ContentType + ".", Error: problem("body")}}
		return b
	case media.JSON:
		b.IsJSON, b.Members = true, members(body)
	}
	b.HasRaw = true
	b.Raw = ui.TextArea{Name: rawField, Label: "Body as text", Value: a.entry.Raw, Rows: min(24, max(6, strings.Count(a.entry.Raw, "\n")+2)), Mono: true, Error: problem("body")}
	return b
}

// parts lists the members of a multipart body: texts, and files to choose.
func parts(body model.Body, example model.Example, a asked) (texts []views.Field, files []views.File) {
	if body.Root == nil {
		return nil, nil
	}
	several := console.FileFields(body)
	for _, f := range body.Root.Children {
		if f.ReadOnly {
			continue
		}
		if many, isFile := several[f.Name]; isFile {
			files = append(files, views.File{Name: filePrefix + f.Name, Label: f.Name, Hint: markdown.FirstSentence(f.Description), Required: f.Required, Several: many})
			continue
		}
		field := views.Field{Name: partPrefix + f.Name, Label: f.Name, Type: f.Type, Required: f.Required, Hint: markdown.FirstSentence(f.Description)}
		if value := example.Node.Get(f.Name); value != nil {
			field.Value = value.Display()
		}
		for _, p := range a.entry.Parts {
			if p.Name == f.Name && p.FileName == "" {
				field.Value = string(p.Data)
			}
		}
		switch {
		case len(f.Enum) > 0:
			field.Options = options(f.Enum, field.Value)
		case len(f.Children) > 0 || strings.HasPrefix(f.Type, "array"):
			field.Lines = true
		}
		texts = append(texts, field)
	}
	return texts, files
}

// The members of a body that its form knows: at most so many, and so deep.
const (
	mostMembers  = 400
	deepestField = 6
)

// member is what the form of a body knows of a member, as JSON.
type member struct {
	Path     string   `json:"p"` // names joined by dots; items add nothing
	Type     string   `json:"t"`
	Required bool     `json:"r,omitempty"`
	Enum     []string `json:"e,omitempty"`
}

// members lists the members of a JSON body.
func members(body model.Body) string {
	var list []member
	var walk func(f *model.Field, path string, depth int)
	walk = func(f *model.Field, path string, depth int) {
		for _, variant := range f.Variants {
			walk(variant.Field, path, depth+1)
		}
		for _, child := range f.Children {
			if len(list) >= mostMembers || depth > deepestField || child.ReadOnly {
				return
			}
			at := strings.TrimPrefix(path+"."+child.Name, ".")
			list = append(list, member{at, child.Type, child.Required, child.Enum})
			walk(child, at, depth+1)
		}
	}
	if body.Root != nil {
		walk(body.Root, "", 1)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return ""
	}
	return string(text)
}
