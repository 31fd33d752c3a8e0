package webhooks

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/relay"
	"heliograph/app/web/channels/logs"
	"heliograph/app/web/page"
	"heliograph/app/web/people/home"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	logsview "heliograph/views/channels/logs"
	view "heliograph/views/channels/webhooks"
	"heliograph/views/ui"
)

// WebhookList lists the numbers of the organisation with their webhooks.
func (h *Handlers) WebhookList(c echo.Context) error {
	list, err := h.Webhooks.ListWebhooks(c.Request().Context(), page.User(c).OrganisationID)
	if err != nil {
		return err
	}
	p := view.WebhooksPage{Frame: frame(c, "Webhooks", webhooksPath), Docs: ui.Link{Label: "Contents of callbacks", Href: home.CallbackDocs}}
	p.Table = ui.Table{Caption: "Webhooks", Quiet: true, Columns: []ui.Column{{Label: "Number"}, {Label: "Name", Plain: true}, {Label: "State"}, {Label: "URL", Plain: true}}}
	p.Live = page.Refresh(c, ui.Live.Of("webhooks"), "webhooks", "callbacks throttle:3s")
	for _, w := range list {
		s := webhookState(w.Webhook)
		address := ui.Cell{Text: w.Webhook.URL, Mono: true}
		if w.Webhook.URL == "" {
			address = ui.Cell{Text: "Set the webhook", Href: webhookPath(w)}
		}
		p.Table.Rows = append(p.Table.Rows, []ui.Cell{
			{Text: w.Number.Number, Mono: true, Href: webhookPath(w)}, {Text: w.Number.VerifiedName},
			{Text: s.Label, Badge: true, Tone: s.Tone}, address,
		})
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Webhooks(p)})
}

func webhookPath(w models.NumberWebhook) string {
	return fmt.Sprintf("%s/%d", webhooksPath, w.Number.ID)
}

// webhookState puts the health of a webhook into words.
func webhookState(w models.Webhook) logsview.State {
	switch {
	case w.DisabledAt != nil:
		return logsview.State{Tone: ui.Bad, Label: "Disabled", Note: "Callbacks are not posted since " + clock(*w.DisabledAt) + ": " + w.DisabledReason + ". When your endpoint works again, enable the webhook and replay the failed callbacks."}
	case w.URL == "":
		return logsview.State{Label: "Not set", Note: "No callbacks are posted for this number."}
	case w.OpenUntil != nil:
		return logsview.State{Tone: ui.Warn, Label: "Failing", Note: fmt.Sprintf("%d attempts in a row failed since %s. At least one callback a minute is tried until one succeeds. The others wait.", w.Failures, clock(*w.FailingSince))}
	case w.Failures > 0:
		return logsview.State{Tone: ui.Warn, Label: "Failing", Note: fmt.Sprintf("%d attempts in a row failed. The first was at %s.", w.Failures, clock(*w.FailingSince))}
	}
	if slow := 1 - relay.Pace(w, time.Now()); slow > 0.1 {
		return logsview.State{Tone: ui.Warn, Label: "Failing", Note: fmt.Sprintf("%.0f %% of recent attempts failed. Callbacks are posted more slowly until fewer fail.", 100*w.RecentFailures/w.RecentAttempts)}
	}
	return logsview.State{Tone: ui.Good, Label: "Healthy", Note: "The last callback was delivered, or none was posted yet."}
}

// webhookRemoval is where the question opens before a webhook is removed.
const webhookRemoval = ui.Confirm + "-remove"

// webhookForm is the form of a webhook: a URL, and headers as lines of name, colon
// and value.
type webhookForm struct {
	URL     string `form:"url"`
	Headers string `form:"headers"`
}

func (f webhookForm) read() (w messaging.Webhook, err error) {
	w.URL, w.Headers, err = f.readParts()
	if w.URL == "" {
		var wrong faults
		wrong.Add("url", "Enter the URL of your endpoint, or remove the webhook.")
		return w, wrong.Err()
	}
	return w, err
}

// readParts returns the address, which may be empty, and the headers.
func (f webhookForm) readParts() (url string, headers map[string]string, err error) {
	headers = map[string]string{}
	var wrong faults
	for line := range strings.Lines(f.Headers) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		name = strings.TrimSpace(name)
		switch {
		case name == "" && !ok:
			continue
		case name == "" || !ok:
			wrong.Add("headers", "Write each header on its own line: name, colon, value.")
		case headers[name] != "":
			wrong.Add("headers", "The header "+name+" is set twice. Remove one.")
		}
		headers[name] = strings.TrimSpace(value)
	}
	return strings.TrimSpace(f.URL), headers, wrong.Err()
}

// headerLines formats headers for the form.
func headerLines(headers map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		b.WriteString(name + ": " + headers[name] + "\n")
	}
	return b.String()
}

// shown is what the page of a webhook shows in addition to the stored webhook.
type shown struct {
	status   int
	form     *webhookForm // as it was sent
	replay   replayForm
	problems *page.Problems
	secrets  *relay.Secrets
}

// Webhook shows the webhook of one number.
func (h *Handlers) Webhook(c echo.Context) error {
	w, err := h.webhook(c)
	if err != nil {
		return err
	}
	return h.showWebhook(c, w, shown{status: http.StatusOK, problems: &page.Problems{}})
}

// webhook returns the number of the path, if it belongs to the organisation.
func (h *Handlers) webhook(c echo.Context) (models.NumberWebhook, error) {
	return h.Webhooks.FindWebhook(c.Request().Context(), page.User(c).OrganisationID, c.Param("number"))
}

func (h *Handlers) showWebhook(c echo.Context, w models.NumberWebhook, s shown) error {
	set, err := h.Webhooks.Webhook(c.Request().Context(), w.Number)
	if err != nil {
		return err
	}
	p := view.WebhookPage{Frame: frame(c, "Webhook of "+w.Number.Number, webhooksPath), State: webhookState(w.Webhook), Problem: s.problems.Form}
	p.Up = ui.Link{Label: "Webhooks", Href: webhooksPath}
	p.Live = ui.Refresh(ui.Live.Of("webhook"), webhookPath(w), "webhooks", "callbacks throttle:3s")
	p.Facts = pairs("Phone number id", strconv.FormatInt(w.Number.ID, 10))
	if !mayDevelop(c) {
		p.Facts = append(p.Facts, pairs("URL", w.Webhook.URL, "Custom headers", strings.Join(slices.Sorted(maps.Keys(set.Headers)), ", "))...)
	}
	if w.Webhook.ID != 0 {
		p.Facts = append(p.Facts, ui.Pair{Key: "Callbacks", Value: "Show the callbacks", Href: page.Address(deliveriesPath, page.Query("number", w.Webhook.Subject))})
		last, err := h.lastReplay(c, w.Webhook)
		if err != nil {
			return err
		}
		p.Facts = append(p.Facts, last...)
	}
	if w.Webhook.Failures > 0 || w.Webhook.DisabledAt != nil {
		if p.Cause, err = lastFailure(c, h.DB, w.Webhook); err != nil {
			return err
		}
	}
	if mayDevelop(c) {
		p.Edit = editWebhook(w, set, s)
		p.Edit.Sign(p.CSRF)
	}
	return page.Render(c, s.status, page.View{Frame: p.Page, Body: view.Webhook(p)})
}

func editWebhook(w models.NumberWebhook, set messaging.Webhook, s shown) *view.WebhookEdit {
	form, path := webhookForm{URL: set.URL, Headers: headerLines(set.Headers)}, webhookPath(w)
	if s.form != nil {
		form = *s.form
	}
	e := &view.WebhookEdit{
		Action: path,
		URL: ui.Input{
			Name: "url", Label: "URL", Type: "url", Value: form.URL, Required: true, Placeholder: "https://hooks.example.com/messages",
			Hint: "Answer 2xx within 10 seconds.", Error: s.problems.Fields["url"],
		},
		Headers: ui.TextArea{
			Name: "headers", Label: "Custom headers", Value: form.Headers, Rows: 4, Mono: true,
			Hint: "One on each line, for example X-Webhook-Secret: b4f1c7d2. Every callback has them.", Error: headerProblems(s.problems),
		},
		Secret: secretPart(secretOf{path, w.Number.PreviousSecret, w.Number.PreviousSecretUntil}, s.secrets, secretNotes{
			one:    "The secret signs every callback. Check the signature to make sure that a callback comes from us.",
			header: "X-Hub-Signature-256",
		}),
	}
	if w.Webhook.URL != "" {
		e.Remove = ui.Ask{Link: ui.Link{Label: "Remove the webhook", Href: path + "/remove"}, Region: webhookRemoval, Kind: ui.Danger}
	}
	switch {
	case w.Webhook.DisabledAt != nil:
		e.Actions = []ui.Post{{Action: path + "/enable", Label: "Enable the webhook"}}
	case w.Webhook.URL != "":
		e.Actions = []ui.Post{{Action: path + "/test", Label: "Send a test event"}}
		offerReplay(e, w.Webhook, s.replay, s.problems)
	}
	return e
}

// offerReplay adds the form that replays callbacks.
func offerReplay(e *view.WebhookEdit, w models.Webhook, f replayForm, problems *page.Problems) {
	e.Replay, e.Place = e.Action+"/replay", replayRegion
	e.Since = ui.Input{Name: "since", Label: "Stored since (UTC)", Type: "datetime-local", Value: f.Since, Required: true, Error: problems.Fields["since"]}
	e.Which = ui.Select{Name: "which", Label: "Which", Value: f.Which, Options: replayChoices, Error: problems.Fields["which"]}
	if e.Since.Value == "" && w.FailingSince != nil {
		e.Since.Value = w.FailingSince.UTC().Format("2006-01-02T15:04")
	}
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

// secretOf is the secret of the webhook at a path, and the one before it.
type secretOf struct {
	path     string
	previous []byte // nil for none
	until    *time.Time
}

// secretNotes are what differs between the channels.
type secretNotes struct {
	one    string // what a secret is for
	header string // of the signature that can hold only one, beside webhook-signature; empty where it stands alone
}

func secretPart(of secretOf, secrets *relay.Secrets, notes secretNotes) view.SecretPart {
	path := of.path
	part := view.SecretPart{Note: notes.one, Actions: []ui.Post{{Action: path + "/secret", Label: "Show the secret"}}}
	if of.previous == nil {
		part.Actions = append(part.Actions, ui.Post{Action: path + "/secret/rotate", Label: "Rotate the secret"})
	} else {
		part.Note = "The previous secret signs every callback until " + clock(*of.until) + "."
		if notes.header != "" {
			part.Note = "Two secrets sign every callback until " + clock(*of.until) + ": webhook-signature carries both, " + notes.header + " the previous one."
		}
		part.Note += " Give the new secret to your endpoint, then retire the previous one. It also expires by itself."
		part.Retire = ui.Ask{Link: ui.Link{Label: "Retire the previous secret", Href: path + "/secret/retire"}, Region: retireRegion, Kind: ui.Danger}
	}
	if secrets == nil {
		return part
	}
	part.Actions = part.Actions[1:]
	part.Shown = []ui.Code{{Title: "Secret", Text: secrets.Current}}
	if secrets.Previous != "" {
		part.Shown = append(part.Shown, ui.Code{Title: "Previous secret", Text: secrets.Previous})
	}
	return part
}

// lastFailure returns the cause of the newest failed attempt of a webhook, with
// its remedy.
func lastFailure(c echo.Context, store db.Querier, w models.Webhook) (*logsview.Cause, error) {
	a, err := queries.AttemptGetLastFailed(c.Request().Context(), store, w.ID)
	if db.IsNoRows(err) {
		return nil, nil
	}
	cause := logs.Failure(a.Status, a.Error)
	cause.Next = ui.Link{Label: "See the attempt", Href: logs.DeliveryPath(a.DeliveryID)}
	return cause, err
}
