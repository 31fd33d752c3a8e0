package simulate

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/console"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/reference"
	views "heliograph/views/channels/simulate"
	"heliograph/views/ui"
)

// mostTaken is the longest text that is written as a program or given to the console, in
// bytes.
const mostTaken = 64 << 10

// asJSON is the choice of the text alone, among the languages.
const asJSON = "json"

// place is the published operation of a simulator, with its address.
type place struct {
	endpoint *model.Endpoint
	path     string // product, version and endpoint
}

// find returns the published operation of a simulator. There is none while the contract
// is not published, or cannot be read.
func (h *Handlers) find(ctx context.Context, ch channel, op operation) (place, bool) {
	product, version, _ := strings.Cut(ch.declared.Reference, "/")
	p := h.Documentation.Snapshot().Product(product)
	if p == nil || p.ComingSoon {
		return place{}, false
	}
	v := p.Version(version)
	if v == nil {
		return place{}, false
	}
	for _, o := range v.Endpoints() {
		if o.Method != http.MethodPost || !strings.HasSuffix(o.Path, op.path) {
			continue
		}
		e, err := v.Endpoint(ctx, o)
		if err != nil {
			return place{}, false // package published reports it
		}
		return place{e, product + "/" + version + "/" + o.Slug}, true
	}
	return place{}, false
}

// take offers a text that the API would accept as a program, as JSON and for the console.
// It is nil where the contract is not published.
func (h *Handlers) take(ctx context.Context, ch channel, e example) *views.Take {
	at, ok := h.find(ctx, ch, ch.operation(e.operation))
	if !ok {
		return nil
	}
	t := &views.Take{Language: e.language}
	languages := sample.Languages()
	for _, l := range languages {
		t.Languages = append(t.Languages, ui.Option{Value: l.Slug, Label: l.Name})
	}
	t.Languages = append(t.Languages, ui.Option{Value: asJSON, Label: "JSON"})
	if t.Language == asJSON {
		t.Code = ui.Code{Title: "JSON", Language: "json", Text: indented(e.text)}
		return h.withConsole(t, at, e)
	}
	chosen := languages[max(0, slices.IndexFunc(languages, func(l sample.Language) bool { return l.Slug == e.language }))]
	t.Language = chosen.Slug
	if len(e.text) > mostTaken {
		t.Note = "The text is too long to show as a program. Take it as JSON."
		return t
	}
	entry := console.Entry{Values: values(at.endpoint), ContentType: echo.MIMEApplicationJSON, Raw: indented(e.text)}
	site := reference.Site{URL: h.PublicURL}
	call, err := console.Build(at.endpoint, site.Base(at.endpoint, 0), entry)
	if err != nil {
		t.Note = "The call cannot be written as a program. Take the text as JSON."
		return t
	}
	t.Code = ui.Code{Title: chosen.Title, Language: chosen.Syntax, Text: call.Sample(at.endpoint, chosen.Slug, nil)}
	return h.withConsole(t, at, e)
}

// withConsole lets a text be opened in the API console, where readers see that.
func (h *Handlers) withConsole(t *views.Take, at place, e example) *views.Take {
	if h.Console == nil || !h.Console() || len(e.text) > mostTaken {
		return t
	}
	t.Console = &views.ConsoleForm{Action: "/console/" + at.path + "/sample", Fields: []ui.Pair{{Key: "type", Value: echo.MIMEApplicationJSON}, {Key: "raw", Value: e.text}}}
	for name, value := range values(at.endpoint) {
		t.Console.Fields = append(t.Console.Fields, ui.Pair{Key: "v." + name, Value: value})
	}
	slices.SortFunc(t.Console.Fields, func(a, b ui.Pair) int { return strings.Compare(a.Key, b.Key) })
	return t
}

// values are the parameters of a call with the examples of the contract.
func values(e *model.Endpoint) map[string]string {
	values := map[string]string{}
	for _, in := range e.Inputs {
		if in.Sent && !(in.In == "header" && console.IsBlocked(in.Name)) && in.Value != nil && !in.Value.Is(tree.KindArray) && !in.Value.Is(tree.KindObject) {
			values[in.In+"."+in.Name] = in.Value.Display()
		}
	}
	return values
}

// indented returns JSON for reading, with its numbers and the order of its members as
// they are.
func indented(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(strings.TrimPrefix(text, "\ufeff")), "", "  ") != nil {
		return text
	}
	return b.String()
}
