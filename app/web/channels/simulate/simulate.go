// Package simulate serves the message simulators: an editor for the body of a request,
// and a phone that shows the outcome.
//
// The pages are for everybody. A text is checked as it is typed and when the form is
// sent; it is neither stored nor logged, and comes back in the page alone.
package simulate

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	rule "heliograph/app/channels/simulate"
	"heliograph/app/channels/sms"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	views "heliograph/views/channels/simulate"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Path is the address of the list of simulators.
const Path = "/simulators"

// BodyLimit is the largest form, in bytes: a text and the other fields.
const BodyLimit = rule.MaxText + 16<<10

// Deps holds the dependencies of the simulators.
type Deps struct {
	Documentation *published.Documentation
	Limiter       *limit.Limiter
	// Frame returns the frame of a page without product.
	Frame func() layout.Page
	// Words are the names of the messaging channel.
	Words []string
	// Signer makes the headers of callbacks.
	Signer rule.Signer
	// Console reports whether readers see the API console; nil for never.
	Console func() bool
	// Accounts reads templates and bots of the organisation that is signed in.
	Accounts *rule.Accounts
	// Sandbox sends texts in sandboxes; nil where nothing is sent.
	Sandbox Sender
	// PublicURL is the public address of the portal, without a slash at its end.
	PublicURL string
}

// Handlers serves the simulators.
type Handlers struct {
	Deps
	rule *rule.Simulator
}

// New returns the handlers.
func New(d Deps) *Handlers {
	return &Handlers{d, &rule.Simulator{Words: d.Words, Now: time.Now, Signer: d.Signer}}
}

// previews is how often one network, person and organisation may have a text checked:
// a few times a second while somebody types.
var previews = limit.Limit{Name: "simulator", Burst: 300, Period: time.Minute}

// channel is a simulator.
type channel struct {
	slug, title, lead, about string
	declared                 *pipeline.Channel
	operations               []operation // the first is the default
}

// operation is an operation of the contract with a body that is simulated.
type operation struct {
	slug, label string
	path        string // end of its path in the contract
}

var channels = []channel{
	{
		"messaging", "Business messaging simulator", "Write the body of a send and see the message as your customer will see it.",
		"Texts, media, templates, buttons, lists, products and orders.", messaging.Declaration,
		[]operation{{"send", "Send a message", "/messages"}},
	},
	{
		"rcs", "RCS simulator", "Write the body of a send and see cards, carousels and suggestions on the phone.",
		"Texts, cards, carousels, files, suggestions and the fallback.", rcs.Declaration,
		[]operation{{"send-message", "Send messages", "/send-message"}, {"send-freeflow-message", "Send a free-flow message", "/send-freeflow-message"}},
	},
	{
		"sms", "SMS simulator", "Write the body of a submission and see its parts, their encoding and what forces it.",
		"Parts, encoding, and the character that makes a text longer.", sms.Declaration,
		[]operation{{"submit", "Submit SMS", "/JSONGenericReceiver"}},
	},
}

func (ch channel) path() string { return Path + "/" + ch.slug }

// operation returns an operation by its slug, the first one for an unknown slug.
func (ch channel) operation(slug string) operation {
	for _, op := range ch.operations {
		if op.slug == slug {
			return op
		}
	}
	return ch.operations[0]
}

// Index lists the simulators.
func (h *Handlers) Index(c echo.Context) error {
	frame := h.Frame()
	frame.Title, frame.Description = "Message simulators", "See messages on a phone before you send them. Nothing is sent or stored."
	frame.Canonical = h.PublicURL + Path
	p := views.IndexPage{Page: frame}
	for _, ch := range channels {
		p.Simulators = append(p.Simulators, views.Entry{Link: ui.Link{Label: ch.title, Href: ch.path()}, About: ch.about})
	}
	return page.Render(c, http.StatusOK, page.View{Frame: frame, Body: views.Index(p)})
}

// form is what the editor sends.
type form struct {
	Text      string `form:"text"`
	Operation string `form:"operation"`
	Outcome   string `form:"outcome"`
	Language  string `form:"lang"`
	// Own is the example of the account that the text began with, or empty.
	Own string `form:"own"`
}

// typed returns the text of a form with what was chosen beside it.
func (f form) typed(ch channel) example {
	e := example{text: strings.ReplaceAll(f.Text, "\r\n", "\n"), operation: ch.operation(f.Operation).slug, outcome: f.Outcome, language: f.Language}
	if rule.IsOwn(f.Own) {
		e.name = f.Own
	}
	return e
}

// Show returns the handler that shows a simulator with an example.
func (h *Handlers) Show(slug string) echo.HandlerFunc {
	ch := channelOf(slug)
	return func(c echo.Context) error {
		if name := c.QueryParam("example"); rule.IsOwn(name) {
			return h.showOwn(c, ch, name)
		}
		list := h.examples(c.Request().Context(), ch)
		chosen := list[0]
		for _, e := range list {
			if e.name == c.QueryParam("example") {
				chosen = e
			}
		}
		return h.render(c, http.StatusOK, ch, chosen, nil)
	}
}

// Check returns the handler that checks a text. A text with problems is answered with
// 422, so that nothing counts as sent.
func (h *Handlers) Check(slug string) echo.HandlerFunc {
	ch := channelOf(slug)
	return func(c echo.Context) error {
		var f form
		if err := page.Bind(c, &f); err != nil {
			return err
		}
		product, version, _ := strings.Cut(ch.declared.Reference, "/")
		page.Count(c, page.Counted{Product: product, Version: version})
		typed := f.typed(ch)
		if err := h.limited(c); err != nil {
			return page.Again(c, err, func(status int, problems *page.Problems) error {
				return h.render(c, status, ch, typed, &views.Result{Alert: problems.Form})
			})
		}
		return h.render(c, http.StatusOK, ch, typed, nil)
	}
}

// channelOf returns a simulator by its slug.
func channelOf(slug string) channel {
	for _, ch := range channels {
		if ch.slug == slug {
			return ch
		}
	}
	panic("simulate: no simulator " + slug)
}

// limited counts a preview for the network and, where somebody is signed in, for the
// organisation or the administrator.
func (h *Handlers) limited(c echo.Context) error {
	ctx := c.Request().Context()
	if user := page.User(c); user != nil {
		who := "user " + strconv.FormatInt(user.ID, 10)
		if user.OrganisationID != 0 {
			who = "organisation " + strconv.FormatInt(user.OrganisationID, 10)
		}
		if err := h.Limiter.Take(ctx, previews, who); err != nil {
			return err
		}
	}
	return h.Limiter.Take(ctx, previews, limit.Client(c.RealIP()))
}

// example is a text with the operation that it is for.
type example struct {
	name, title, text, operation string
	outcome                      string // that was chosen; empty for none
	language                     string // of the program; empty for the first
}

// examples lists the examples of the contract, then the simulator's own.
func (h *Handlers) examples(ctx context.Context, ch channel) (list []example) {
	for _, op := range ch.operations {
		list = append(list, h.contractExamples(ctx, ch, op)...)
	}
	for _, e := range rule.Examples(ch.slug) {
		list = append(list, example{name: e.Name, title: e.Title, text: e.Text, operation: ch.operations[0].slug})
	}
	return list
}

// contractExamples lists the examples of an operation in the published contract. There
// are none while the contract is not published, or cannot be read.
func (h *Handlers) contractExamples(ctx context.Context, ch channel, op operation) (list []example) {
	at, ok := h.find(ctx, ch, op)
	if !ok {
		return nil
	}
	for _, body := range at.endpoint.Bodies {
		if body.ContentType != echo.MIMEApplicationJSON {
			continue
		}
		for _, x := range body.Examples {
			name := x.Name
			if op.slug != ch.operations[0].slug {
				name = op.slug + "." + name
			}
			list = append(list, example{name: name, title: reference.ExampleTitle(x), text: rule.Current(ch.slug, x.Value, time.Now()), operation: op.slug})
		}
	}
	return list
}

// render shows a simulator with a text. Without a result the text is checked.
func (h *Handlers) render(c echo.Context, status int, ch channel, e example, made *views.Result) error {
	if made == nil {
		result, err := h.result(c, ch, e)
		if err != nil {
			return err
		}
		if made = &result; len(result.Problems) > 0 && c.Request().Method == http.MethodPost {
			status = http.StatusUnprocessableEntity
		}
	}
	frame := h.Frame()
	frame.Title, frame.Description = ch.title, ch.lead
	frame.Canonical = h.PublicURL + ch.path()
	frame.Script, frame.Style = "js/simulate.js", "css/simulate.css"
	frame.Crumbs = []ui.Link{{Label: "Message simulators", Href: Path}, {Label: ch.title, Current: true}}
	frame.Announcement = announcement(*made)
	if made.Take != nil && made.Take.Console != nil {
		made.Take.Console.CSRF = page.Token(c)
	}
	if made.Take != nil && h.mayOffer(c) {
		made.Take.Send = ch.path() + "/send"
	}
	p := views.Page{
		Page: frame, Title: ch.title, Lead: ch.lead, Action: ch.path(), CSRF: page.Token(c), Text: e.text, Most: "250 kB", Result: *made,
		Examples: ui.Select{Name: "example", Label: "Example", Value: e.name},
	}
	for _, other := range channels {
		p.Others = append(p.Others, ui.Link{Label: other.title, Href: other.path(), Current: other.slug == ch.slug})
	}
	if rule.IsOwn(e.name) {
		p.Own = e.name
	}
	if page.Target(c) != views.Preview { // typing shows the phone alone
		options, err := h.options(c, ch, e)
		if err != nil {
			return err
		}
		p.Examples.Options = options
	}
	if len(ch.operations) > 1 {
		p.Operation = ui.Select{Name: "operation", Label: "Operation", Value: e.operation}
		for _, op := range ch.operations {
			p.Operation.Options = append(p.Operation.Options, ui.Option{Value: op.slug, Label: op.label})
		}
	}
	return page.Render(c, status, page.View{Frame: frame, Body: views.Show(p)})
}

// announcement says the outcome, for screen readers.
func announcement(r views.Result) string {
	switch {
	case r.Alert != "":
		return r.Alert
	case r.Sent != nil && r.Sent.Problem != "":
		return r.Sent.Problem
	case r.Sent != nil:
		return "The message is sent in your sandbox."
	case len(r.Problems) > 0:
		p := r.Problems[0]
		return "Line " + strconv.Itoa(p.Line) + ", column " + strconv.Itoa(p.Column) + ": " + p.Detail
	}
	return "The phone shows the message."
}

// result checks a text.
func (h *Handlers) result(c echo.Context, ch channel, e example) (views.Result, error) {
	var r rule.Result
	ctx := c.Request().Context()
	account, err := h.Accounts.Named(ctx, ch.slug, organisation(c), e.text, e.name)
	if err != nil {
		return views.Result{}, err
	}
	switch ch.slug {
	case "messaging":
		r, err = h.rule.Messaging(ctx, e.text, account)
	case "rcs":
		r, err = h.rule.RCS(ctx, e.text, e.operation == ch.operations[1].slug, account)
	default:
		r, err = h.rule.SMS(e.text)
	}
	if err != nil {
		return views.Result{}, err
	}
	v := newResult(ch, r)
	v.Action = ch.path()
	if len(r.Problems) == 0 {
		v.Take = h.take(ctx, ch, e)
	}
	v.Follow, err = h.follow(ch, r, e.outcome)
	return v, err
}
