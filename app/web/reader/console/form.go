package console

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/console"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/reference"
	"heliograph/app/lists"
	"heliograph/app/web/page"
	"heliograph/views/layout"
	views "heliograph/views/reader/console"
	"heliograph/views/ui"
)

const bounds = "A call may take 10 seconds. 2 MiB are sent and 1 MiB is read. 20 calls a minute."

// render shows the form of an endpoint with the result of a call. An open page gets the
// result or the sample alone, and nothing else is made.
func (h *Handlers) render(c echo.Context, status int, t target, a asked, result *console.Result) error {
	var frame layout.Page
	if result != nil {
		frame.Announcement = "The answer is here."
	}
	switch {
	case page.Swaps(c, views.ResultRegion):
		return page.Render(c, status, page.View{Frame: frame, Body: views.OnlyResult(h.resultOf(t, a, result))})
	case page.Swaps(c, views.SampleRegion):
		action := h.path + t.path()
		_, _, secrets := authentication(t.e, a)
		return page.Render(c, status, page.View{Frame: frame, Body: views.OnlySample(views.Form{Sample: h.newSample(t, a, action+"/sample"), Secrets: secrets})})
	}
	announcement := frame.Announcement
	frame = h.Frame()
	frame.Title, frame.Description = "Console: "+t.op.Name+" – "+t.Name(), "Send a call of "+t.op.Name+"."
	frame.Accent, frame.Announcement = t.Product.Accent, announcement
	frame.Crumbs = []ui.Link{{Label: "API console", Href: h.path}, {Label: t.Name(), Href: t.Path()}, {Label: t.op.Name, Current: true}}
	form, err := h.newForm(c, t, a)
	if err != nil {
		return err
	}
	if a.problems != nil {
		form.Problem = a.problems.Form
	}
	p := views.CallPage{Page: frame, Form: form, Result: h.resultOf(t, a, result)}
	return page.Render(c, status, page.View{Frame: p.Page, Body: views.Call(p)})
}

// resultOf shows what came of a form: a result, a call for the browser to send, or the
// problems for which nothing was sent.
func (h *Handlers) resultOf(t target, a asked, result *console.Result) views.Result {
	switch {
	case a.problems != nil && a.problems.Form != "":
		return views.Result{Exists: true, Failure: a.problems.Form, FailureTitle: "Nothing was sent.", Verdict: "There is nothing to check."}
	case a.problems != nil:
		return views.Result{Exists: true, Fields: problemInputs(a.problems)}
	}
	v := h.newResult(t, a, result)
	if a.direct != nil {
		_, _, secrets := authentication(t.e, a)
		v.Direct = newDirect(a.direct, h.path+t.path(), secrets)
	}
	return v
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
		words := lists.Map(reference.Schemes(e.Auth[i:i+1]), func(s reference.Scheme) string { return s.Name })
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
	f := views.Field{Name: valuePrefix + name, Label: in.Field.Name, Type: in.Field.Type, Required: in.Field.Required, Hint: markdown.FirstSentence(in.Field.Description)}
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
		f.Lines, f.Hint = true, strings.TrimSpace(f.Hint+" One item a line.")
	case console.IsObject(in):
		f.Lines, f.Hint = true, strings.TrimSpace(f.Hint+" A JSON object.")
	case len(in.Field.Enum) > 0:
		f.Options = options(in.Field.Enum, f.Value)
	case in.Field.Type == "boolean":
		f.Options = options([]string{"true", "false"}, f.Value)
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

// problemInputs lists the problems of a form, each with a link to its field.
func problemInputs(problems *page.Problems) (list []ui.Input) {
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
