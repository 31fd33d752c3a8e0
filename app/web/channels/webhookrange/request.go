package webhookrange

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	rule "heliograph/app/channels/webhookrange"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	views "heliograph/views/channels/webhookrange"
	"heliograph/views/ui"
)

// find returns the request of a path.
func (h *Handlers) find(c echo.Context, id string) (rule.Taken, error) {
	parsed, err := uuid.Parse(id)
	if err != nil || len(id) != 36 {
		return rule.Taken{}, fault.New(fault.NotFound, "This page does not exist.")
	}
	return h.Ranges.Find(c.Request().Context(), page.User(c).OrganisationID, parsed)
}

// ShowRequest shows a request with its signature checked.
func (h *Handlers) ShowRequest(c echo.Context) error {
	return h.showRequest(c, http.StatusOK, "", &page.Problems{})
}

// mostSecret is the longest secret that is checked with, in bytes.
const mostSecret = 500

// Check checks the signature of a request with a secret, which is not stored.
func (h *Handlers) Check(c echo.Context) error {
	var f struct {
		Secret string `form:"secret"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	secret := strings.TrimSpace(f.Secret)
	if secret == "" || len(secret) > mostSecret {
		problems := &page.Problems{Fields: map[string]string{"secret": "Enter the secret that it was signed with, at most 500 characters."}}
		return h.showRequest(c, http.StatusUnprocessableEntity, "", problems)
	}
	return h.showRequest(c, http.StatusOK, secret, &page.Problems{})
}

func (h *Handlers) showRequest(c echo.Context, status int, secret string, problems *page.Problems) error {
	t, err := h.find(c, c.Param("id"))
	if err != nil {
		return err
	}
	verdict, err := h.Ranges.Check(c.Request().Context(), t, secret)
	if err != nil {
		return err
	}
	path := requestPath(t.RangeRequest)
	p := views.RequestPage{Frame: h.frame(c, "Request "+strconv.FormatInt(t.Number, 10)), Problem: problems.Form, Facts: facts(t), Query: t.Query}
	p.Up = ui.Link{Label: "Webhook range", Href: Path}
	p.Headers = ui.Code{Title: t.Method + ", headers in the order of their names", Language: "http", Text: headerText(t)}
	p.Body, p.Raw = bodies(t)
	p.Verdict, p.Tone = "The signature matches", ui.Good
	switch {
	case !verdict.Signed:
		p.Verdict, p.Tone = "Not signed", ui.Warn
	case !verdict.OK:
		p.Verdict, p.Tone = "The signature does not match", ui.Bad
	}
	for _, s := range verdict.Checks {
		p.Checks = append(p.Checks, views.Check{Title: s.Title, Detail: s.Detail, OK: s.OK})
	}
	p.Check = &views.CheckForm{Action: path, CSRF: p.CSRF, Secret: ui.Input{
		Name: "secret", Label: "Another secret", Masked: true, Required: true, Hint: "It is used once and not stored.", Error: problems.Fields["secret"],
	}}
	if mayChange(c) {
		keep := ui.Post{Action: path + "/keep", CSRF: p.CSRF, Label: "Keep this request", Values: []ui.Pair{{Key: "keep", Value: "yes"}}}
		if t.Kept {
			keep.Label, keep.Values = "Stop keeping it", []ui.Pair{{Key: "keep", Value: "no"}}
		}
		p.Actions = []ui.Post{keep, {Action: path + "/replay", CSRF: p.CSRF, Label: "Take it once more"}}
	}
	if t.DeliveryID != nil {
		p.Callback = ui.Link{Label: "Open the callback with its attempts", Href: "/account/deliveries/" + strconv.FormatInt(*t.DeliveryID, 10)}
	}
	p.Announcement = p.Verdict + "."
	return page.Render(c, status, page.View{Frame: p.Page, Body: views.Request(p)})
}

func facts(t rule.Taken) (list []ui.Pair) {
	add := func(key, value string) {
		if value != "" {
			list = append(list, ui.Pair{Key: key, Value: value})
		}
	}
	add("Came", t.TakenAt.UTC().Format("2 Jan 2006, 15:04:05.000"))
	add("What", what(t.RangeRequest))
	if t.EventAt != nil {
		add("Event", t.EventAt.UTC().Format("15:04:05.000")+", "+after(t.TakenAt.Sub(*t.EventAt))+" before")
	}
	if t.FirstNumber != nil {
		add("Repeats", "Request "+strconv.FormatInt(*t.FirstNumber, 10)+" with the same webhook-id")
	}
	if t.ReplayOf != nil {
		add("Replayed from", "Request "+strconv.FormatInt(*t.ReplayOf, 10))
	}
	add("Size of the body", humanize.IBytes(uint64(t.Size)))
	add("Answered", answered(t.RangeRequest))
	return list
}

func headerText(t rule.Taken) string {
	var b strings.Builder
	for _, h := range t.Headers {
		b.WriteString(h.Name + ": " + h.Value + "\n")
	}
	return rule.Indented([]byte(strings.TrimSuffix(b.String(), "\n")))
}

// bodies returns the body for reading and, where that is another text, as it came.
func bodies(t rule.Taken) (shown, raw ui.Code) {
	text := rule.Indented(t.Body)
	shown = ui.Code{Title: "Body", Text: text}
	if text != "" && (text[0] == '{' || text[0] == '[') {
		shown.Language = "json"
	}
	if !bytes.Equal(t.Body, []byte(text)) {
		shown.Title = "Body, for reading"
		raw = ui.Code{Title: "Body, as it came, as a text of Go or JSON", Text: strconv.QuoteToASCII(string(t.Body))}
	}
	return shown, raw
}

// Keep keeps a request while others come, or stops keeping it.
func (h *Handlers) Keep(c echo.Context) error {
	var f struct {
		Keep string `form:"keep"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	t, err := h.find(c, c.Param("id"))
	if err != nil {
		return err
	}
	if err := h.Ranges.SetKept(c.Request().Context(), t.OrganisationID, t.ID, f.Keep == "yes"); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.showRequest(c, status, "", problems) })
	}
	return page.Done(c, requestPath(t.RangeRequest), map[bool]string{true: "kept", false: "let"}[f.Keep == "yes"])
}

// Replay takes a request once more.
func (h *Handlers) Replay(c echo.Context) error {
	t, err := h.find(c, c.Param("id"))
	if err != nil {
		return err
	}
	if _, err := h.Ranges.Replay(c.Request().Context(), t.OrganisationID, t.ID); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.showRequest(c, status, "", problems) })
	}
	return page.Done(c, Path, "replayed")
}

// Compare shows how two requests are different.
func (h *Handlers) Compare(c echo.Context) error {
	if c.QueryParam("a") == "" || c.QueryParam("b") == "" {
		p := views.ComparePage{Frame: h.frame(c, "Compare requests"), Note: "Choose two requests on the page of the range."}
		p.Up = ui.Link{Label: "Webhook range", Href: Path}
		return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: views.Compare(p)})
	}
	a, err := h.find(c, c.QueryParam("a"))
	if err != nil {
		return err
	}
	b, err := h.find(c, c.QueryParam("b"))
	if err != nil {
		return err
	}
	first, second := "Request "+strconv.FormatInt(a.Number, 10), "Request "+strconv.FormatInt(b.Number, 10)
	p := views.ComparePage{Frame: h.frame(c, first+" and "+strconv.FormatInt(b.Number, 10))}
	p.Up = ui.Link{Label: "Webhook range", Href: Path}
	p.Headers = ui.Table{Caption: "Different headers", Columns: []ui.Column{{Label: "Header", Lead: true}, {Label: first}, {Label: second}}}
	for _, d := range rule.CompareHeaders(a, b) {
		p.Headers.Rows = append(p.Headers.Rows, []ui.Cell{{Text: d.Name}, {Text: d.Before, Mono: true}, {Text: d.After, Mono: true}})
	}
	if text := rule.CompareBodies(a, b); text != "" {
		p.Body = ui.Code{Title: "Body: − only " + first + ", + only " + second, Text: text}
	} else {
		p.Note = "The bodies are the same, byte for byte."
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: views.Compare(p)})
}
