package webhooks

import (
	"context"
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/web/channels/logs"
	"heliograph/app/web/labels"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/views/ui"
)

// replayForm selects the callbacks of a webhook that are replayed. Since is a
// minute or a second in UTC. Until is the moment at which they were counted.
type replayForm struct {
	Since string `query:"since" form:"since"`
	Until string `query:"until" form:"until"`
	Which string `query:"which" form:"which"`
}

var replayChoices = []ui.Option{{Value: "failed", Label: "Failed"}, {Value: "all", Label: "All finished"}}

// read returns the range of the form. Without an end it ends now.
func (f replayForm) read() (relay.ReplayRange, error) {
	var wrong faults
	r := relay.ReplayRange{Since: wrong.Minute("since", f.Since), Until: time.Now().UTC(), Everything: wrong.Choice("which", f.Which, replayChoices) == "all"}
	if f.Since == "" {
		wrong.Add("since", "Enter a day and a time in UTC. Callbacks stored since then are replayed.")
	}
	if until, err := time.Parse(time.RFC3339Nano, f.Until); err == nil {
		r.Until = until
	}
	return r, wrong.Err()
}

// ConfirmReplay counts the callbacks of a webhook and asks before they are
// replayed.
func (h *Handlers) ConfirmReplay(c echo.Context) error {
	w, err := h.webhook(c)
	if err != nil {
		return err
	}
	return confirmReplay(c, h.numberReplay(c, w))
}

// replayable is a webhook with callbacks that can be replayed.
type replayable struct {
	path  string // of the webhook's page
	up    ui.Link
	facts []ui.Pair
	// again shows the page with a form and its problems.
	again func(f replayForm, err error) error
	count func(ctx context.Context, r relay.ReplayRange) (int, error)
	many  func(ctx context.Context, r relay.ReplayRange) (models.Replay, error)
}

// numberReplay returns the webhook of a number for a replay.
func (h *Handlers) numberReplay(c echo.Context, w models.NumberWebhook) replayable {
	return replayable{
		path: webhookPath(w), up: ui.Link{Label: "Webhook of " + w.Number.Number, Href: webhookPath(w)},
		facts: pairs("Number", w.Number.Number, "URL", w.Webhook.URL),
		again: func(f replayForm, err error) error {
			return page.Again(c, err, func(status int, problems *page.Problems) error {
				return h.showWebhook(c, w, shown{status: status, replay: f, problems: problems})
			})
		},
		count: func(ctx context.Context, r relay.ReplayRange) (int, error) { return h.Webhooks.CountReplay(ctx, w, r) },
		many: func(ctx context.Context, r relay.ReplayRange) (models.Replay, error) {
			return h.Webhooks.ReplayMany(ctx, w, r, page.User(c).Actor())
		},
	}
}

func confirmReplay(c echo.Context, w replayable) error {
	f, err := page.Ask[replayForm](c)
	if err != nil {
		return err
	}
	f.Until = ""
	r, n, err := w.counted(c, f)
	if err != nil {
		return w.again(f, err)
	}
	count := listing.Number(min(n, relay.MaxReplay)) + " callback" + map[bool]string{false: "s"}[n == 1]
	q := ui.Question{
		Region: replayRegion, Text: "Each callback is posted again with the same body and webhook-id, the oldest first. Your endpoint can recognise repeated callbacks by their webhook-id. New callbacks go first.",
		Facts: append(w.facts, pairs("Stored since", clock(r.Since), "And before", clock(r.Until), "Which", labels.Of(replayChoices, f.Which))...),
		Action: ui.Post{Action: w.path + "/replay", Label: "Replay " + count, Kind: ui.Primary, Values: []ui.Pair{
			{Key: "since", Value: f.Since}, {Key: "until", Value: r.Until.Format(time.RFC3339Nano)}, {Key: "which", Value: f.Which},
		}},
		Back: ui.Link{Label: "Replay nothing", Href: w.path},
	}
	if n > relay.MaxReplay {
		q.Text = fmt.Sprintf("There are more than %[1]s callbacks. The oldest %[1]s are replayed now. Replay the rest afterwards. ", listing.Number(relay.MaxReplay)) + q.Text
	}
	around := frame(c, "Replay "+count, webhooksPath)
	around.Up = w.up
	return page.Confirm(c, around, q, "")
}

// replayRegion is where the question opens before callbacks are replayed.
const replayRegion = ui.Confirm + "-replay"

// counted returns the range of a form and how many callbacks are in it.
func (w replayable) counted(c echo.Context, f replayForm) (relay.ReplayRange, int, error) {
	r, err := f.read()
	if err != nil {
		return r, 0, err
	}
	n, err := w.count(c.Request().Context(), r)
	if err == nil && n == 0 {
		err = fault.InvalidFields(fault.Field{Name: "since", Message: "No callbacks to replay were stored since then. Waiting callbacks are posted without a replay."})
	}
	return r, n, err
}

// Replay posts the callbacks of a range again and shows them.
func (h *Handlers) Replay(c echo.Context) error {
	w, err := h.webhook(c)
	if err != nil {
		return err
	}
	return replay(c, h.numberReplay(c, w))
}

func replay(c echo.Context, w replayable) error {
	var f replayForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	r, err := f.read()
	if err != nil {
		return w.again(f, err)
	}
	done, err := w.many(c.Request().Context(), r)
	if err != nil {
		return w.again(f, err)
	}
	return page.SeeOther(c, logs.ReplayPath(done))
}

// lastReplay returns the progress of the newest replay of a webhook, if there was
// one.
func (h *Handlers) lastReplay(c echo.Context, w models.Webhook) ([]ui.Pair, error) {
	r, err := queries.ReplayGetLast(c.Request().Context(), h.DB, w.OrganisationID, w.ID)
	if db.IsNoRows(err) {
		return nil, nil
	}
	return []ui.Pair{{Key: "Last replay", Value: logs.ReplayState(r).Note, Href: logs.ReplayPath(r)}}, err
}
