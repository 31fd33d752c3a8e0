// Package webhookrange serves the webhook range: its pages in the account, and the
// addresses that take requests.
package webhookrange

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/simulate"
	"heliograph/app/channels/sms"
	rule "heliograph/app/channels/webhookrange"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db/models"
	views "heliograph/views/channels/webhookrange"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Path is the address of the page.
const Path = "/account/webhook-range"

// Deps holds the dependencies of the handlers.
type Deps struct {
	Ranges *rule.Service
	// Frame returns the frame of a page of the account.
	Frame func(c echo.Context, title, current string) layout.Frame
	// Simulator makes test events.
	Simulator *simulate.Simulator
}

// Handlers answers the routes of the pages.
type Handlers struct {
	Deps
	// kinds are the kinds of test events, to choose from.
	kinds func() ([]rule.Kind, error)
}

// New returns the handlers.
func New(d Deps) *Handlers {
	return &Handlers{d, sync.OnceValues(func() ([]rule.Kind, error) { return rule.Kinds(context.Background(), d.Simulator, declared) })}
}

// done holds the messages after an action, by the word in the address.
var done = map[string]string{
	"opened":   "The address takes requests for an hour.",
	"extended": "The address takes requests for another hour.",
	"ended":    "The address takes no more. What came in can be seen for a day.",
	"answer":   "New requests get this answer.",
	"test":     "The test event came in.",
	"kept":     "The request stays when others come.",
	"let":      "The request may make room for others.",
	"replayed": "The request was taken once more.",
}

func (h *Handlers) frame(c echo.Context, title string) layout.Frame {
	f := h.Frame(c, title, Path)
	f.Done = done[c.QueryParam("done")]
	return f
}

// mayChange reports whether the user may change the range.
func mayChange(c echo.Context) bool {
	return slices.Contains([]string{identity.Developer, identity.Owner}, page.User(c).Role)
}

// declared are the channels in the order of the choice.
var declared = []*pipeline.Channel{messaging.Declaration, rcs.Declaration, sms.Declaration}

var channelNames = map[string]string{messaging.Channel: "Business messaging", rcs.Channel: "RCS", sms.Channel: "SMS"}

// Show shows the range.
func (h *Handlers) Show(c echo.Context) error {
	return h.show(c, http.StatusOK, nil, &page.Problems{Fields: map[string]string{}})
}

func (h *Handlers) show(c echo.Context, status int, typed *answerForm, problems *page.Problems) error {
	ctx, organisation := c.Request().Context(), page.User(c).OrganisationID
	w, err := h.Ranges.Get(ctx, organisation)
	if err != nil {
		return err
	}
	list, err := h.Ranges.List(ctx, organisation)
	if err != nil {
		return err
	}
	p := views.Page{
		Frame: h.frame(c, "Webhook range"), Problem: problems.Form,
		Lead: "An address of ours that takes callbacks before you have a receiver: see what comes, check its signature, and choose the answer. Times are in UTC.",
	}
	open := w != nil && w.Address != ""
	if open {
		p.Address = ui.Code{Title: "Every method, up to 256 kB", Text: w.Address}
		p.Ends = []ui.Pair{{Key: "Takes requests until", Value: clock(w.ExpiresAt)}}
		p.Webhooks = []ui.Link{{Label: "Numbers", Href: "/account/webhooks"}, {Label: "SMS reports", Href: "/account/sms/reports"}, {Label: "Bots", Href: "/account/bots"}}
	}
	if mayChange(c) {
		p.Open = &ui.Post{Action: Path + "/open", CSRF: p.CSRF, Label: "Open an address", Kind: ui.Primary}
		if open {
			p.Open.Label, p.Open.Kind = "Open a new address", ui.Plain
			p.Others = []ui.Post{{Action: Path + "/extend", CSRF: p.CSRF, Label: "Take requests for another hour"}, {Action: Path + "/end", CSRF: p.CSRF, Label: "End the address"}}
			if p.Test, err = h.testForm(p.CSRF); err != nil {
				return err
			}
		}
		if w != nil {
			p.Answer = answerOf(p.CSRF, w.Answer(), typed, problems)
		}
	}
	p.List = h.listing(list)
	p.List.Live = ui.Refresh(ui.List, Path, "range")
	if len(list) > 1 {
		p.Compare = Path + "/compare"
		p.Compared = [2]ui.Select{{Name: "a", Label: "Compare", Options: numbered(list), Value: list[1].ID.String()}, {Name: "b", Label: "With", Options: numbered(list), Value: list[0].ID.String()}}
	}
	p.Announcement = p.List.Announcement()
	return page.Render(c, status, page.View{Frame: p.Page, Body: views.Show(p)})
}

func numbered(list []models.RangeRequest) (options []ui.Option) {
	for _, r := range list {
		options = append(options, ui.Option{Value: r.ID.String(), Label: "Request " + strconv.FormatInt(r.Number, 10)})
	}
	return options
}

// listing lists what came in.
func (h *Handlers) listing(list []models.RangeRequest) ui.Listing {
	l := ui.Listing{
		Summary: strconv.Itoa(len(list)) + " of at most " + strconv.Itoa(rule.MaxRequests) + " requests",
		Empty:   ui.EmptyState{Title: "Nothing came yet", Text: "What is posted to the address appears here at once."},
		Table: ui.Table{Caption: "Requests", Quiet: true, Columns: []ui.Column{
			{Label: "Request", Lead: true}, {Label: "Came (UTC)", Plain: true}, {Label: "What"}, {Label: "Size", Numeric: true}, {Label: "Answered"}, {Label: "State"},
		}},
	}
	for _, r := range list {
		state := ui.Cell{Text: "First", Badge: true}
		switch {
		case r.ReplayOf != nil:
			state = ui.Cell{Text: "Replayed from " + strconv.FormatInt(*r.ReplayOf, 10), Badge: true, Tone: ui.Info}
		case r.FirstNumber != nil:
			state = ui.Cell{Text: "Repeats " + strconv.FormatInt(*r.FirstNumber, 10), Badge: true, Tone: ui.Warn}
		}
		if r.Kept {
			state.Text += ", kept"
		}
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			{Text: r.Method + " " + strconv.FormatInt(r.Number, 10), Href: requestPath(r)}, {Text: r.TakenAt.UTC().Format("15:04:05.000"), Note: since(r)},
			{Text: what(r), Mono: r.Event != ""}, {Text: humanize.IBytes(uint64(r.Size))}, {Text: answered(r), Mono: true}, state,
		})
	}
	return l
}

func requestPath(r models.RangeRequest) string { return Path + "/requests/" + r.ID.String() }

func what(r models.RangeRequest) string {
	switch {
	case r.Event != "":
		return r.Event
	case r.Inside:
		return "Test event"
	}
	return "From outside"
}

func answered(r models.RangeRequest) string {
	text := strconv.Itoa(r.Status)
	if r.DelayMS > 0 {
		text += " after " + strconv.Itoa(r.DelayMS/1000) + " s"
	}
	return text
}

// since says how long after its event a request came.
func since(r models.RangeRequest) string {
	if r.EventAt == nil {
		return ""
	}
	return after(r.TakenAt.Sub(*r.EventAt)) + " after the event"
}

func after(d time.Duration) string {
	switch {
	case d < 0:
		return "0 ms"
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < 2*time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
	return d.Round(time.Second).String()
}

func clock(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04:05") }

// answerForm is the form of what the range answers.
type answerForm struct {
	Status string `form:"status"`
	Delay  string `form:"delay"`
	Body   string `form:"body"`
}

func answerOf(csrf string, now rule.Answer, typed *answerForm, problems *page.Problems) *views.AnswerForm {
	seconds := int(now.Delay / time.Second)
	f := answerForm{strconv.Itoa(now.Status), strconv.Itoa(seconds), now.Body}
	shown := "It answers " + f.Status + " at once."
	if seconds > 0 {
		shown = "It answers " + f.Status + " after " + f.Delay + " seconds."
	}
	if typed != nil {
		f = *typed
	}
	return &views.AnswerForm{
		Action: Path + "/answer", CSRF: csrf, Shown: shown,
		Status: ui.Input{Name: "status", Label: "Status", Value: f.Status, InputMode: "numeric", Required: true, Hint: "From 200 to 599. 410 ends a webhook.", Error: problems.Fields["status"]},
		Delay:  ui.Input{Name: "delay", Label: "Delay in seconds", Value: f.Delay, InputMode: "numeric", Required: true, Hint: "At most 20. The relay waits for 10.", Error: problems.Fields["delay"]},
		Body:   ui.TextArea{Name: "body", Label: "Body", Value: f.Body, Rows: 3, Mono: true, Hint: "It is sent as plain text, at most 4 kB of it.", Error: problems.Fields["body"]},
	}
}

// SetAnswer sets what the range answers.
func (h *Handlers) SetAnswer(c echo.Context, f answerForm) error {
	status, wrongStatus := strconv.Atoi(f.Status)
	delay, wrongDelay := strconv.Atoi(f.Delay)
	if wrongStatus != nil {
		status = 0
	}
	if wrongDelay != nil || delay > 1000 {
		delay = -1
	}
	err := h.Ranges.SetAnswer(c.Request().Context(), page.User(c).OrganisationID, rule.Answer{Status: status, Delay: time.Duration(delay) * time.Second, Body: f.Body})
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.show(c, status, &f, problems) })
	}
	return page.Done(c, Path, "answer")
}

// act does something with the range and returns to it.
func (h *Handlers) act(c echo.Context, word string, do func(context.Context, int64, string) error) error {
	user := page.User(c)
	if err := do(c.Request().Context(), user.OrganisationID, user.Actor()); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.show(c, status, nil, problems) })
	}
	return page.Done(c, Path, word)
}

// Open opens a new address.
func (h *Handlers) Open(c echo.Context) error { return h.act(c, "opened", h.Ranges.Open) }

// Extend lets the address take requests for another hour.
func (h *Handlers) Extend(c echo.Context) error { return h.act(c, "extended", h.Ranges.Extend) }

// End ends the address.
func (h *Handlers) End(c echo.Context) error { return h.act(c, "ended", h.Ranges.End) }

// testForm lists the kinds of test events.
func (h *Handlers) testForm(csrf string) (*views.TestForm, error) {
	kinds, err := h.kinds()
	if err != nil {
		return nil, err
	}
	f := &views.TestForm{Action: Path + "/test", CSRF: csrf}
	for _, channel := range declared {
		g := views.Group{Label: channelNames[channel.Name]}
		for _, k := range kinds {
			if k.Channel == channel {
				g.Options = append(g.Options, ui.Option{Value: k.ID, Label: k.Label})
			}
		}
		f.Groups = append(f.Groups, g)
	}
	return f, nil
}

// SendTest has the range take a test event.
func (h *Handlers) SendTest(c echo.Context) error {
	var f struct {
		Kind string `form:"kind"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	return h.act(c, "test", func(ctx context.Context, organisation int64, _ string) error {
		kinds, err := rule.Kinds(ctx, h.Simulator, declared)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(kinds, func(k rule.Kind) bool { return k.ID == f.Kind })
		if i < 0 {
			return fault.New(fault.Conflict, "Choose an event of the list.")
		}
		return h.Ranges.SendTest(ctx, organisation, h.Simulator, kinds[i])
	})
}
