package postman

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
)

type body struct {
	Mode      string      `json:"mode"`
	Raw       string      `json:"raw,omitempty"`
	Form      []parameter `json:"urlencoded,omitempty"`
	Multipart []parameter `json:"formdata,omitempty"`
	File      *file       `json:"file,omitempty"`
	Options   *options    `json:"options,omitempty"`
}

type file struct {
	Source *string `json:"src"`
}

type options struct {
	Raw struct {
		Language string `json:"language"`
	} `json:"raw"`
}

// choice is a body that a request can send.
type choice struct {
	contentType string // empty without a body
	example     model.Example
	body        model.Body
}

// choices lists the bodies of an endpoint: every example of every content type.
// There is always one.
func choices(e *model.Endpoint) []choice {
	var list []choice
	for _, b := range e.Bodies {
		for _, x := range b.Examples {
			list = append(list, choice{b.ContentType, x, b})
		}
		if len(b.Examples) == 0 {
			list = append(list, choice{contentType: b.ContentType, body: b})
		}
	}
	if len(list) == 0 {
		list = []choice{{}}
	}
	return list
}

// newBody returns a body, nil where there is none.
func newBody(c choice) *body {
	if c.contentType == "" {
		return nil
	}
	switch kind := media.KindOf(c.contentType); {
	case kind == media.Form:
		return &body{Mode: "urlencoded", Form: form(c, false)}
	case kind == media.Multipart:
		return &body{Mode: "formdata", Multipart: form(c, true)}
	case kind == media.Binary && !c.example.Node.Is(tree.KindString):
		return &body{Mode: "file", File: &file{}}
	default:
		b := &body{Mode: "raw", Raw: c.example.Value, Options: &options{}}
		b.Options.Raw.Language = language(c.contentType)
		return b
	}
}

// language returns the name by which Postman colours a body.
func language(contentType string) string {
	switch {
	case media.KindOf(contentType) == media.JSON:
		return "json"
	case strings.Contains(contentType, "xml"):
		return "xml"
	case strings.Contains(contentType, "html"):
		return "html"
	}
	return "text"
}

// form lists the fields of a form: the example's fields, and required files
// that it leaves out.
func form(c choice, multipart bool) []parameter {
	fields := map[string]*model.Field{}
	var files []string
	if c.body.Root != nil {
		for _, f := range c.body.Root.Children {
			fields[f.Name] = f
			if multipart && strings.HasSuffix(f.Type, "file") {
				files = append(files, f.Name)
			}
		}
	}
	list := []parameter{}
	add := func(name string, value *tree.Node) {
		p := parameter{Key: name, Type: "text"}
		if value != nil {
			p.Value = value.Display()
		}
		if f := fields[name]; f != nil {
			p.Description = f.Description
		}
		isFile := slices.Contains(files, name)
		if isFile {
			none := ""
			p.Type, p.Value, p.Source, p.FileName = "file", "", &none, p.Value
		}
		if multipart {
			p.ContentType = c.body.PartTypes[name]
			if value != nil && !isFile {
				p.ContentType = c.body.PartType(name, value)
			}
		}
		list = append(list, p)
	}
	if c.example.Node.Is(tree.KindObject) {
		for _, m := range c.example.Node.Members {
			for _, item := range m.Value.Values() {
				add(m.Key, item)
			}
		}
	}
	for _, name := range files {
		if fields[name].Required && c.example.Node.Get(name) == nil {
			add(name, nil)
		}
	}
	return list
}
