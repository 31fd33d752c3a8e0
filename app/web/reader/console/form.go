package console

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/console"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/reference"
	"heliograph/app/web/page"
	views "heliograph/views/reader/console"
	"heliograph/views/ui"
)

const bounds = "A call may take 10 seconds. 2 MiB are sent and 1 MiB is read. 20 calls a minute."

// render shows the form of an endpoint with the result of a call.
func (h *Handlers) render(c echo.Context, status int, t target, a asked, result *console.Result) error {
	frame := h.Frame()
	frame.Title, frame.Description = "Console: "+t.op.Name+" – "+t.Name(), "Send a call of "+t.op.Name+"."
	frame.Accent = t.Product.Accent
	frame.Crumbs = []ui.Link{{Label: "API console", Href: h.path}, {Label: t.Name(), Href: t.Path()}, {Label: t.op.Name, Current: true}}
	if result != nil {
		frame.Announcement = "The answer is here."
	}
	form, err := h.newForm(c, t, a)
	if err != nil {
		return err
	}
	p := views.CallPage{Page: frame, Form: form, Result: h.newResult(t, a, result)}
	p.Result.Direct = newDirect(a.direct, form.Action, form.Secrets)
	if a.problems != nil {
		p.Result = views.Result{Exists: true, Fields: problemInputs(a.problems, p.Form)}
		if p.Form.Problem = a.problems.Form; p.Form.Problem != "" {
			p.Result = views.Result{Exists: true, Failure: p.Form.Problem, FailureTitle: "Nothing was sent.", Server: ""}
			p.Result.Verdict = "There is nothing to check."
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: views.Call(p)})
}

func (h *Handlers) newForm(c echo.Context, t target, a asked) (views.Form, error) {
	action := h.path + t.path()
	f := views.Form{
		Action: action, CSRF: page.Token(c), Method: t.e.Method, Path: t.e.Path, Doc: ui.Link{Label: t.op.Name, Href: t.Operation(t.op)}, Note: h.note(),
		Servers: h.servers(t, a.entry.Server), IsMock: a.entry.Server == console.Mock, HasMock: h.HasMock(), Bounds: bounds, Refused: a.refused,
		Release: strconv.Itoa(t.Version.Number), Groups: groups(t.e, a), Body: newBody(t.e, a, action), Sample: h.newSample(t, a, action+"/sample"), Recent: a.recent,
	}
	f.Ways, f.Schemes, f.Secrets = authentication(t.e, a)
	if h.HasMock() {
		f.Prefer = preferences(t.e, a)
	}
	skipped, err := h.Service.Skipped(c.Request().Context(), t.Version, t.e)
	if err != nil {
		return f, err
	}
	f.Skipped = skipped
	for _, in := range t.e.Inputs {
		f.Names = strings.TrimPrefix(f.Names+" "+in.In+"."+in.Name, " ")
	}
	if isDestructive(t.e) {
		f.Confirm = "Yes, send " + t.e.Method + " " + t.e.Path + " to the server above. It may delete something for good."
	}
	return f, nil
}

// preferences lists the answers that the mock server can give.
func preferences(e *model.Endpoint, a asked) ui.Select {
	s := ui.Select{Name: preferField, Label: "Answer of the mock server", Value: a.entry.Prefer, Options: []ui.Option{{Value: "", Label: "The one that fits the request"}}}
	for _, p := range console.Preferences(e) {
		s.Options = append(s.Options, ui.Option{Value: p.Value, Label: p.Label})
	}
	if a.problems != nil {
		s.Error = a.problems.Fields[preferField]
	}
	return s
}

// servers lists the mock server and the published ones.
func (h *Handlers) servers(t target, chosen string) ui.Select {
	s := ui.Select{Name: serverField, Label: "Server", Value: chosen}
	if h.HasMock() {
		s.Options = append(s.Options, ui.Option{Value: console.Mock, Label: "Mock server: answers from the documentation"})
	}
	for i, server := range t.e.Servers {
		label := h.url.Base(t.e, i)
		if server.Description != "" {
			label += " (" + server.Description + ")"
		}
		s.Options = append(s.Options, ui.Option{Value: server.Slug, Label: label})
	}
	if len(t.e.Servers) == 0 {
		s.Options = append(s.Options, ui.Option{Value: "default", Label: h.url.Base(t.e, 0)})
	}
	s.Hint = "Calls to a published server are real. Private, local and loopback addresses are refused."
	return s
}

// authentication lists the ways to authenticate, and the fields of the chosen one. It
// returns the names of the fields that hold credentials.
func authentication(e *model.Endpoint, a asked) (ways ui.Select, list []views.Scheme, secrets string) {
	ways = ui.Select{Name: wayField, Label: "Way to authenticate", Value: strconv.Itoa(a.entry.Auth)}
	names := []string{"_none"}
	for i := range e.Auth {
		var words []string
		for _, s := range reference.Schemes(e.Auth[i : i+1]) {
			words = append(words, s.Name)
		}
		ways.Options = append(ways.Options, ui.Option{Value: strconv.Itoa(i), Label: cmp.Or(strings.Join(words, " and "), "No credential")})
		for _, s := range console.Schemes(e, i) {
			names = append(names, userPrefix+s.Name, secretPrefix+s.Name)
			at := slices.IndexFunc(list, func(other views.Scheme) bool { return other.Name == s.Name })
			if at >= 0 {
				list[at].Ways += " " + strconv.Itoa(i)
				continue
			}
			made := views.Scheme{Name: s.Name, Problem: s.Problem, Ways: strconv.Itoa(i)}
			if s.Problem == "" {
				made.Fields = credentialFields(s, a.problems)
			}
			list = append(list, made)
		}
	}
	return ways, list, strings.Join(names, ",")
}

func credentialFields(s console.Scheme, problems *page.Problems) []ui.Input {
	in := ui.Input{Name: secretPrefix + s.Name, Label: "API key", Masked: true, Hint: "Sent as " + s.Field + " in the " + s.In + "."}
	if problems != nil {
		in.Error = problems.Fields["credential."+s.Name]
	}
	switch {
	case s.Kind == "basic":
		in.Label, in.Hint = "Password", ""
		return []ui.Input{{Name: userPrefix + s.Name, Label: "User name", Autocomplete: "off"}, in}
	case s.Kind != "apiKey":
		in.Label = "Access token"
	}
	if s.Kind == "apiKey" {
		in.Label = "API key (" + s.Field + ")"
	}
	return []ui.Input{in}
}

// groups lists the parameters by their places.
func groups(e *model.Endpoint, a asked) (list []views.Group) {
	schemes := console.Schemes(e, a.entry.Auth)
	for _, place := range []string{"path", "query", "header", "cookie"} {
		g := views.Group{Title: reference.ParameterTitle(place)}
		for _, in := range e.Inputs {
			isKey := slices.ContainsFunc(schemes, func(s console.Scheme) bool { return s.In == in.In && strings.EqualFold(s.Field, in.Name) })
			if in.In == place && !isKey {
				g.Fields = append(g.Fields, newField(e, in, a))
			}
		}
		if len(g.Fields) > 0 {
			list = append(list, g)
		}
	}
	return list
}

// newField shows a parameter with its value: what was typed, else its example.
func newField(e *model.Endpoint, in model.Input, a asked) views.Field {
	name := in.In + "." + in.Name
	f := views.Field{Name: valuePrefix + name, Label: in.Field.Name, Type: in.Field.Type, Required: in.Field.Required, Kind: views.KindLine, Hint: markdown.FirstSentence(in.Field.Description)}
	value, on := a.entry.Values[name]
	if off, has := a.off[name]; has && !on {
		value = off
	} else if !on {
		value = exampleOf(in)
	}
	f.Value, f.On = value, on
	if !f.Required {
		f.Switch = switchPrefix + name
	}
	if a.problems != nil {
		f.Error = a.problems.Fields[name]
	}
	if isBlocked(in) {
		f.Hint = "The header " + in.Name + " is controlled by the connection. It cannot be set here."
	}
	switch {
	case console.IsList(in):
		f.Kind, f.Hint = views.KindList, strings.TrimSpace(f.Hint+" One item a line.")
	case console.IsObject(in):
		f.Kind, f.Hint = views.KindJSON, strings.TrimSpace(f.Hint+" A JSON object.")
	case len(in.Field.Enum) > 0:
		f.Kind, f.Options = views.KindOneOf, options(in.Field.Enum, f.Value)
	case in.Field.Type == "boolean":
		f.Kind, f.Options = views.KindOneOf, options([]string{"true", "false"}, f.Value)
	}
	for _, p := range e.Placeholders {
		if in.Value != nil && p.Value == in.Value.Display() {
			f.Own = p.Name
		}
	}
	return f
}

// options lists the values of an enumeration, and the present one if it is none.
func options(values []string, value string) (list []ui.Option) {
	if !slices.Contains(values, value) {
		list = append(list, ui.Option{Value: value, Label: cmp.Or(value, "Choose")})
	}
	for _, v := range values {
		list = append(list, ui.Option{Value: v, Label: v})
	}
	return list
}

// newBody shows the body of a form.
func newBody(e *model.Endpoint, a asked, action string) views.Body {
	if len(e.Bodies) == 0 || e.Method == "GET" || e.Method == "HEAD" {
		return views.Body{}
	}
	body, example := chooseBody(e, a.entry.ContentType, a.example)
	b := views.Body{Exists: true, Reload: action, Types: ui.Select{Name: typeField, Label: "Content type", Value: body.ContentType}, Examples: ui.Select{Name: exampleField, Label: "Example", Value: example.Name}}
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
		field := views.Field{Name: partPrefix + f.Name, Label: f.Name, Type: f.Type, Required: f.Required, Kind: views.KindLine, Hint: markdown.FirstSentence(f.Description)}
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
			field.Kind, field.Options = views.KindOneOf, options(f.Enum, field.Value)
		case len(f.Children) > 0 || strings.HasPrefix(f.Type, "array"):
			field.Kind = views.KindJSON
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

// mostSample is the longest body with a sample, in bytes, and mostCode the longest
// sample: some languages write each value of JSON on a line of its own, indented by its
// depth.
const (
	mostSample = 64 << 10
	mostCode   = 4 * mostSample
)

const tooLong = "The body is too long to show as a sample."

// indentedLength returns about how long JSON becomes that has each value on a line of its
// own, indented by four blanks for each level.
func indentedLength(text string) int {
	length, depth, isString := len(text), 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			isString = !isString
		case isString && c == '\\':
			i++ // the next character is escaped
		case isString:
		case c == '[' || c == '{':
			depth++
			length += 4 * depth
		case c == ']' || c == '}':
			depth = max(0, depth-1)
			length += 4 * depth
		case c == ',':
			length += 4 * depth
		}
	}
	return length
}

// newSample writes the call of the form as a program.
func (h *Handlers) newSample(t target, a asked, action string) views.Sample {
	s := views.Sample{Action: action, Language: ui.Select{Name: langField, Value: a.language}}
	var chosen sample.Language
	for _, l := range sample.Languages() {
		s.Language.Options = append(s.Language.Options, ui.Option{Value: l.Slug, Label: l.Name})
		if l.Slug == a.language {
			chosen = l
		}
	}
	length := len(a.entry.Raw)
	for _, p := range a.entry.Parts {
		if p.FileName == "" { // samples name files only
			length += len(p.Data)
		}
	}
	if length > mostSample || indentedLength(a.entry.Raw) > mostCode {
		s.Problem = tooLong
		return s
	}
	a.entry.Credentials = nil
	call, err := console.Build(t.e, h.base(t, a.entry.Server), a.entry)
	if err != nil {
		s.Problem = "The sample appears when the fields are complete."
		return s
	}
	text := call.Sample(t.e, a.language, a.entry.Parts)
	if len(text) > mostCode {
		s.Problem = tooLong
		return s
	}
	s.Code = ui.Code{Title: chosen.Title, Language: chosen.Syntax, Text: text}
	return s
}

// problemInputs lists the problems of a form, each with a link to its field.
func problemInputs(problems *page.Problems, f views.Form) (list []ui.Input) {
	names := make([]string, 0, len(problems.Fields))
	for name := range problems.Fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		in := ui.Input{Name: valuePrefix + name, Label: name, Error: problems.Fields[name]}
		switch {
		case name == "confirmed" || name == serverField || name == typeField || name == wayField || name == preferField:
			in.Name = name
		case name == "body":
			in.Name = rawField
		case strings.HasPrefix(name, "credential."):
			in.Name = secretPrefix + strings.TrimPrefix(name, "credential.")
		}
		list = append(list, in)
	}
	return list
}
