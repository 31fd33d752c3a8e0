package logs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/relay"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	view "heliograph/views/channels/logs"
	"heliograph/views/ui"
)

// Delivery shows one callback with its attempts.
func (h *Handlers) Delivery(c echo.Context) error {
	return h.showDelivery(c, http.StatusOK, &page.Problems{})
}

// ReplayDelivery posts a callback again.
func (h *Handlers) ReplayDelivery(c echo.Context, id int64) error {
	user := page.User(c)
	if _, _, _, err := queries.DeliveryGetLogged(c.Request().Context(), h.DB, user.OrganisationID, id); err != nil {
		return page.NotFound(err, "This callback does not exist.")
	}
	err := h.Webhooks.Replay(c.Request().Context(), user.OrganisationID, id, user.Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.showDelivery(c, status, problems) })
	}
	return page.Done(c, DeliveryPath(id), "replayed")
}

func (h *Handlers) showDelivery(c echo.Context, status int, problems *page.Problems) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	d, body, attempts, err := queries.DeliveryGetLogged(c.Request().Context(), h.DB, page.User(c).OrganisationID, id)
	if err != nil {
		return page.NotFound(err, "This callback does not exist.")
	}
	p := view.DeliveryPage{
		Frame: page.AccountFrame(c, "Callback "+d.Event, page.AccountDeliveriesPath), Problem: problems.Form, State: deliveryState(d), Facts: h.deliveryFacts(d),
		Body: ui.Code{Title: "Body of every attempt", Language: "json", Text: indent(body)},
	}
	p.Up = ui.Link{Label: "Callbacks", Href: page.AccountDeliveriesPath}
	if d.State != "delivered" && d.LastError != "" {
		p.Cause = Failure(d.LastStatus, d.LastError)
	}
	p.Region, p.Live = ui.Details.Of(strconv.FormatInt(id, 10)), ui.Refresh(ui.Live.Of("callback"), DeliveryPath(id), "callbacks")
	if page.Target(c) == p.Region {
		p.Open = ui.Link{Label: "Open the callback with every attempt and its body", Href: DeliveryPath(id)}
	}
	if page.MayDevelop(c) && d.State != "pending" {
		p.Replay = &ui.Post{Action: DeliveryPath(id) + "/replay", CSRF: p.CSRF, Label: "Replay this callback"}
	}
	for i, a := range attempts {
		p.Attempts = append(p.Attempts, attempt(d, a))
		p.Attempts[i].Open = i == 0
		if advice := relay.Advice(a.Status, a.Error); advice != "" && (i > 0 || p.Cause == nil) {
			p.Attempts[i].Facts = append(p.Attempts[i].Facts, ui.Pair{Key: "What to do", Value: advice})
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Delivery(p)})
}

func deliveryState(d models.LoggedDelivery) view.State {
	badge := deliveryBadge(d)
	s := view.State{Tone: badge.Tone, Label: badge.Text}
	switch {
	case d.State == "pending" && d.NextAt != nil && d.Attempts > 0 && d.NextAt.After(time.Now()):
		s.Note = "The next attempt is due at " + listing.Clock(*d.NextAt) + "."
	case d.State == "pending":
		s.Note = "The callback waits to be posted."
	case d.State == "delivered":
		s.Note = "Your webhook accepted the callback."
	case d.Attempts == 0:
		s.Note = "The callback was not posted, because the webhook was disabled or removed."
	default:
		s.Note = "The callback failed after " + strconv.Itoa(d.Attempts) + " attempt" + map[bool]string{false: "s"}[d.Attempts == 1] + ". Replay it when your webhook works again."
	}
	return s
}

func (h *Handlers) deliveryFacts(d models.LoggedDelivery) []ui.Pair {
	message, finished := "", ""
	if d.MessageID != nil {
		message = h.Channels.MessageID(d.Channel, *d.MessageID)
	}
	if d.FinishedAt != nil {
		finished = listing.Clock(*d.FinishedAt)
	}
	number := d.Subject
	if d.Channel != messaging.Channel {
		number = ""
	}
	list := listing.Pairs("Event", d.Event, "webhook-id", strconv.FormatInt(d.ID, 10), "Channel", ui.LabelOf(listing.Channels, d.Channel), "Phone number id", number, "Stored", listing.Clock(d.CreatedAt), "Finished", finished)
	if message != "" {
		list = append(list, ui.Pair{Key: "Message", Value: message, Mono: true, Href: MessagePath(*d.MessageID)})
	}
	return list
}

// attempt shows the request and the response of an attempt. Attempts do not store
// signatures and the values of custom headers.
func attempt(d models.LoggedDelivery, a models.Attempt) view.Attempt {
	v := view.Attempt{Heading: fmt.Sprintf("Attempt %d, %s, %d ms", a.Number, listing.Clock(a.StartedAt), a.Latency.Milliseconds())}
	if a.Status != 0 {
		v.Status = strconv.Itoa(a.Status)
	}
	v.Facts = listing.Pairs("URL", a.URL, "Problem", a.Error, "Latency", strconv.FormatInt(a.Latency.Milliseconds(), 10)+" ms")
	lines := []string{
		"Content-Type: application/json", "User-Agent: Heliograph-Relay/1", fmt.Sprintf("webhook-id: %d", d.ID), fmt.Sprintf("webhook-timestamp: %d", a.StartedAt.Unix()),
		"webhook-signature: (not stored)", "X-Hub-Signature-256: (not stored)", fmt.Sprintf("X-Heliograph-Delivery: %d", d.ID),
	}
	for name := range strings.Lines(a.Headers) {
		lines = append(lines, strings.TrimSuffix(name, "\n")+": (your value, hidden)")
	}
	v.Request = ui.Code{Title: "Request headers", Language: "http", Text: strings.Join(lines, "\n")}
	v.Response = ui.Code{Title: "Response, its first 2 kB", Text: a.Response}
	return v
}

// indent formats JSON. Other text stays as it is.
func indent(body []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body)
	}
	return b.String()
}
