package webhooks

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/web/channels/logs"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/views/ui"
)

// webhookForm is the form of a webhook: a URL, headers as lines of name, colon and value,
// and the form of the events of a bot.
type webhookForm struct {
	URL     string `form:"url"`
	Headers string `form:"headers"`
	Form    string `form:"form"`
}

// read returns what the form sets.
func (f webhookForm) read(w words) (setting, error) {
	s := setting{strings.TrimSpace(f.URL), map[string]string{}, f.Form}
	var wrong listing.Faults
	if s.url == "" && w.isRequired {
		wrong.Add("url", w.missing)
		return s, wrong.Err()
	}
	for line := range strings.Lines(f.Headers) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		name = strings.TrimSpace(name)
		switch {
		case name == "" && !ok:
			continue
		case name == "" || !ok:
			wrong.Add("headers", "Write each header on its own line: name, colon, value.")
		case s.headers[name] != "":
			wrong.Add("headers", "The header "+name+" is set twice. Remove one.")
		}
		s.headers[name] = strings.TrimSpace(value)
	}
	return s, wrong.Err()
}

// headerLines formats headers for the form.
func headerLines(headers map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		b.WriteString(name + ": " + headers[name] + "\n")
	}
	return b.String()
}

// headerProblems joins the problems of the headers, which share a field.
func headerProblems(p *page.Problems) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(p.Fields)) {
		if strings.HasPrefix(name, "headers") {
			all = append(all, p.Fields[name])
		}
	}
	return strings.Join(all, " ")
}

// Set sets a webhook.
func (h *Handlers) Set(c echo.Context, w webhook) error {
	var f webhookForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	a := w.about()
	set, err := f.read(a.words)
	if err == nil {
		err = w.set(c.Request().Context(), set)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			if problems.Form != "" { // it is about the URL
				problems.Fields["url"], problems.Form = problems.Form, ""
			}
			return h.render(c, w, shown{status: status, form: &f, problems: problems})
		})
	}
	return page.Done(c, a.path, a.words.saved)
}

// removeRegion is where the question opens before a webhook is removed.
const removeRegion = ui.Confirm + "-remove"

// AskRemove asks before a webhook is removed.
func (h *Handlers) AskRemove(c echo.Context) (*page.Question, error) {
	w, err := h.Find(c)
	if err != nil {
		return nil, err
	}
	a := w.about()
	if a.stored.URL == "" {
		return nil, fault.New(fault.NotFound, "No webhook is set here.")
	}
	f := page.AccountFrame(c, "Remove the webhook of "+a.name, a.section)
	f.Up = a.link()
	return &page.Question{Frame: f, Question: ui.Question{
		Region: removeRegion, Text: a.words.removal,
		Facts:  append(a.facts, listing.Pairs("URL", a.stored.URL)...),
		Action: ui.Post{Label: "Remove the webhook", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep the webhook"},
	}}, nil
}

// Remove removes a webhook.
func (h *Handlers) Remove(c echo.Context) error {
	return h.act(c, func(ctx context.Context, w webhook) (string, string, error) {
		return w.about().path, "webhook-removed", w.set(ctx, setting{})
	})
}

// Enable enables a webhook that was disabled after failures.
func (h *Handlers) Enable(c echo.Context) error {
	return h.act(c, func(ctx context.Context, w webhook) (string, string, error) {
		return w.about().path, "webhook-enabled", w.enable(ctx)
	})
}

// Test posts a test event and goes on to its callback.
func (h *Handlers) Test(c echo.Context) error {
	return h.act(c, func(ctx context.Context, w webhook) (string, string, error) {
		id, err := w.test(ctx)
		return logs.DeliveryPath(id), "tested", err
	})
}
