package console

import (
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/console"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/web/page"
	"heliograph/db/models"
	views "heliograph/views/reader/console"
)

// The names of the controls of a form. Names of parameters, parts and schemes follow a
// prefix.
const (
	serverField  = "server"
	wayField     = "auth"
	typeField    = "type"
	exampleField = "example"
	rawField     = "raw"
	langField    = "lang"
	preferField  = "prefer"

	valuePrefix  = "v."
	switchPrefix = "on."
	userPrefix   = "user."
	secretPrefix = "secret."
	partPrefix   = "part."
	filePrefix   = "file."
	wholeFile    = "file.body"
)

// asked is a form as it was sent, or as it is first shown.
type asked struct {
	entry    console.Entry
	off      map[string]string // values that are shown and not sent
	example  string
	language string
	refused  bool // the confirmation is missing
	isDirect bool // the browser can send calls of the mock server itself
	arrived  *console.Arrived
	direct   *console.Direct // for the browser to send
	problems *page.Problems
	recent   []views.Recent // calls of the reader's own organisation
}

func pickLanguage(c echo.Context) string {
	slug := c.QueryParam(langField)
	if cookie, err := c.Cookie(langField); slug == "" && err == nil {
		slug = cookie.Value
	}
	return knownLanguage(slug)
}

func knownLanguage(slug string) string {
	languages := sample.Languages()
	if slices.ContainsFunc(languages, func(l sample.Language) bool { return l.Slug == slug }) {
		return slug
	}
	return languages[0].Slug
}

// first is the entry of a form that nobody has filled in: the examples of the contract.
func (h *Handlers) first(t target, query url.Values) console.Entry {
	entry := console.Entry{Server: h.known(query.Get(serverField)), Values: map[string]string{}}
	if entry.Server == "" && h.HasMock() {
		entry.Server = console.Mock
	}
	for _, in := range t.e.Inputs {
		if in.Sent && !isBlocked(in) {
			entry.Values[in.In+"."+in.Name] = exampleOf(in)
		}
	}
	body, example := chooseBody(t.e, query.Get(typeField), query.Get(exampleField))
	entry.ContentType = body.ContentType
	entry.Raw = rawOf(t.e, body, example)
	return entry
}

// known returns the slug of a server, and "" for the mock server where there is none.
func (h *Handlers) known(server string) string {
	if server == console.Mock && !h.HasMock() {
		return ""
	}
	return server
}

// exampleOf returns the example of a parameter as its control shows it.
func exampleOf(in model.Input) string {
	switch {
	case in.Value == nil:
		return ""
	case in.Value.Is(tree.KindArray):
		return strings.Join(tree.Texts(in.Value.Items), "\n")
	case in.Value.Is(tree.KindObject):
		return in.Value.Pretty()
	}
	return in.Value.Display()
}

// chooseBody returns the body and the example that a form shows, the first ones for
// unknown names.
func chooseBody(e *model.Endpoint, contentType, name string) (body model.Body, example model.Example) {
	if len(e.Bodies) == 0 {
		return body, example
	}
	body = e.Bodies[max(0, slices.IndexFunc(e.Bodies, func(b model.Body) bool { return b.ContentType == contentType }))]
	if len(body.Examples) > 0 {
		example = body.Examples[max(0, slices.IndexFunc(body.Examples, func(x model.Example) bool { return x.Name == name }))]
	}
	return body, example
}

// rawOf returns the text of an example. Where a member carries the key of the query, the
// placeholder of the key stands in it.
func rawOf(e *model.Endpoint, body model.Body, example model.Example) string {
	if media.KindOf(body.ContentType) != media.JSON || !example.Node.Is(tree.KindObject) {
		return example.Value
	}
	node := example.Node.Without()
	for _, s := range console.Schemes(e, 0) {
		if s.Kind == "apiKey" && s.In == "query" && node.Get(s.Field) != nil {
			node.Set(s.Field, tree.String(s.Placeholder))
		}
	}
	return node.Pretty()
}

// isBlocked reports whether a parameter is a header that calls must not set.
func isBlocked(in model.Input) bool { return in.In == "header" && console.IsBlocked(in.Name) }

// read reads a form.
func (h *Handlers) read(c echo.Context, t target) (asked, error) {
	if err := page.Bind(c, &struct{}{}); err != nil {
		return asked{}, err
	}
	form := c.Request().PostForm
	way, err := strconv.Atoi(form.Get(wayField))
	if err != nil {
		way = 0
	}
	a := asked{
		entry: console.Entry{
			Server: h.known(form.Get(serverField)), Prefer: form.Get(preferField), Auth: way, Credentials: map[string]console.Credential{}, Values: map[string]string{},
			ContentType: form.Get(typeField), Raw: strings.ReplaceAll(form.Get(rawField), "\r\n", "\n"),
		},
		off: map[string]string{}, example: form.Get(exampleField), language: knownLanguage(form.Get(langField)),
	}
	for _, s := range console.Schemes(t.e, way) {
		a.entry.Credentials[s.Name] = console.Credential{User: form.Get(userPrefix + s.Name), Secret: models.Secret(form.Get(secretPrefix + s.Name))}
	}
	for _, in := range t.e.Inputs {
		name := in.In + "." + in.Name
		text, has := form[valuePrefix+name]
		switch {
		case !has:
		case in.Field.Required, form.Get(switchPrefix+name) != "", text[0] != "" && text[0] != exampleOf(in) && !console.IsList(in) && !console.IsObject(in):
			a.entry.Values[name] = text[0]
		default:
			a.off[name] = text[0]
		}
	}
	a.isDirect, a.arrived = form.Get(directField) != "", readArrived(form)
	a.entry.Parts, err = readParts(c, t.e, a.entry.ContentType)
	return a, err
}

// readParts reads the parts and the files of a form. A list of files has a part for
// each.
func readParts(c echo.Context, e *model.Endpoint, contentType string) (list []console.Part, err error) {
	body, _ := chooseBody(e, contentType, "")
	kind := media.KindOf(contentType)
	if body.Root != nil && kind == media.Multipart {
		form := c.Request().PostForm
		for _, f := range body.Root.Children {
			if text := form.Get(partPrefix + f.Name); form.Has(partPrefix+f.Name) && (text != "" || form.Get(switchPrefix+partPrefix+f.Name) != "") {
				list = append(list, console.Part{Name: f.Name, Data: []byte(text)})
			}
			files, err := readFiles(c, filePrefix+f.Name, f.Name)
			if err != nil {
				return nil, err
			}
			list = append(list, files...)
		}
	}
	if kind == media.Binary {
		return readFiles(c, wholeFile, "")
	}
	return list, nil
}

func readFiles(c echo.Context, field, name string) (list []console.Part, err error) {
	form := c.Request().MultipartForm
	if form == nil {
		return nil, nil
	}
	for _, head := range form.File[field] {
		if head.Filename == "" && head.Size == 0 {
			continue
		}
		file, err := head.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(file, console.MaxRequest+1))
		file.Close()
		if err != nil {
			return nil, err
		}
		list = append(list, console.Part{Name: name, FileName: head.Filename, ContentType: head.Header.Get("Content-Type"), Data: data})
	}
	return list, nil
}
