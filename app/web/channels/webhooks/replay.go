package webhooks

import (
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/web/channels/logs"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	view "heliograph/views/channels/webhooks"
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
	var wrong listing.Faults
	r := relay.ReplayRange{Since: wrong.Minute("since", f.Since), Until: time.Now().UTC(), Everything: wrong.Choice("which", f.Which, replayChoices) == "all"}
	if f.Since == "" {
		wrong.Add("since", "Enter a day and a time in UTC. Callbacks stored since then are replayed.")
	}
	if until, err := time.Parse(time.RFC3339Nano, f.Until); err == nil {
		r.Until = until
	}
	return r, wrong.Err()
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

// replayRegion is where the question opens before callbacks are replayed.
const replayRegion = ui.Confirm + "-replay"

// AskReplay counts the callbacks of a webhook and asks before they are replayed.
func (h *Handlers) AskReplay(c echo.Context) (*page.Question, error) {
	w, err := h.Find(c)
	if err != nil {
		return nil, err
	}
	f, err := page.Ask[replayForm](c)
	if err != nil {
		return nil, err
	}
	f.Until = ""
	r, n, err := countReplay(c, w, f)
	if err != nil {
		return nil, h.again(c, w, shown{replay: f}, err)
	}
	a := w.about()
	count := listing.Number(min(n, relay.MaxReplay)) + " callback" + map[bool]string{false: "s"}[n == 1]
	q := ui.Question{
		Region: replayRegion, Text: "Each callback is posted again with the same body and webhook-id, the oldest first. Your endpoint can recognise repeated callbacks by their webhook-id. New callbacks go first.",
		Facts: append(a.facts, listing.Pairs("URL", a.stored.URL, "Stored since", listing.Clock(r.Since), "And before", listing.Clock(r.Until), "Which", ui.LabelOf(replayChoices, f.Which))...),
		Action: ui.Post{Label: "Replay " + count, Kind: ui.Primary, Values: []ui.Pair{
			{Key: "since", Value: f.Since}, {Key: "until", Value: r.Until.Format(time.RFC3339Nano)}, {Key: "which", Value: f.Which},
		}},
		Back: ui.Link{Label: "Replay nothing"},
	}
	if n > relay.MaxReplay {
		q.Text = fmt.Sprintf("There are more than %[1]s callbacks. The oldest %[1]s are replayed now. Replay the rest afterwards. ", listing.Number(relay.MaxReplay)) + q.Text
	}
	around := page.AccountFrame(c, "Replay "+count, a.section)
	around.Up = a.link()
	return &page.Question{Frame: around, Question: q}, nil
}

// countReplay returns the range of a form and how many callbacks are in it.
func countReplay(c echo.Context, w webhook, f replayForm) (relay.ReplayRange, int, error) {
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
func (h *Handlers) Replay(c echo.Context, w webhook) error {
	var f replayForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	r, err := f.read()
	if err != nil {
		return h.again(c, w, shown{replay: f}, err)
	}
	done, err := w.replay(c.Request().Context(), r)
	if err != nil {
		return h.again(c, w, shown{replay: f}, err)
	}
	return page.SeeOther(c, logs.ReplayPath(done))
}

// lastReplay returns the progress of the newest replay of a webhook, if there was
// one.
func (h *Handlers) lastReplay(c echo.Context, w models.Webhook) ([]ui.Pair, error) {
	r, err := queries.ReplayGetLast(c.Request().Context(), h.db, w.OrganisationID, w.ID)
	if db.IsNoRows(err) {
		return nil, nil
	}
	return []ui.Pair{{Key: "Last replay", Value: logs.ReplayState(r).Note, Href: logs.ReplayPath(r)}}, err
}
