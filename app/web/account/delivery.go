package account

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/identity"
	"heliograph/app/messaging"
	"heliograph/app/relay"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/account"
	"heliograph/views/ui"
)

// developers may change what is about programs.
var developers = []string{identity.Developer, identity.Owner}

// mayDevelop says whether the user changes webhooks and replays callbacks, as
// the route table says.
func mayDevelop(c echo.Context) bool { return slices.Contains(developers, page.User(c).Role) }

// Delivery shows one callback with its attempts.
func (h *Handlers) Delivery(c echo.Context) error {
	return h.showDelivery(c, http.StatusOK, &page.Problems{})
}

// ReplayDelivery posts one callback once more.
func (h *Handlers) ReplayDelivery(c echo.Context) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	user := page.User(c)
	if _, _, _, err := queries.DeliveryGetLogged(c.Request().Context(), h.DB, user.OrganisationID, id); err != nil {
		return notFound(err, "There is no such callback.")
	}
	err = h.Webhooks.Replay(c.Request().Context(), user.OrganisationID, id, user.Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.showDelivery(c, status, problems) })
	}
	return page.Done(c, fmt.Sprintf("%s/%d", deliveriesPath, id), "replayed")
}

// notFound makes the fault of a row that is not there, or not the user's.
func notFound(err error, message string) error {
	if db.IsNoRows(err) {
		return fault.New(fault.NotFound, "%s", message)
	}
	return err
}

func (h *Handlers) showDelivery(c echo.Context, status int, problems *page.Problems) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	d, body, attempts, err := queries.DeliveryGetLogged(c.Request().Context(), h.DB, page.User(c).OrganisationID, id)
	if err != nil {
		return notFound(err, "There is no such callback.")
	}
	p := view.DeliveryPage{
		Frame: frame(c, "Callback "+d.Event, deliveriesPath), Problem: problems.Form, State: deliveryState(d), Facts: deliveryFacts(d),
		Body: ui.Code{Title: "The same bytes at every attempt", Language: "json", Text: indent(body)},
	}
	p.Up = ui.Link{Label: "Callbacks", Href: deliveriesPath}
	if d.State != "delivered" && d.LastError != "" {
		p.Cause = failure(d.LastStatus, d.LastError)
	}
	if d.State == "pending" {
		p.Again = ui.Link{Label: "Check again", Href: fmt.Sprintf("%s/%d", deliveriesPath, id)}
	}
	if mayDevelop(c) && d.State != "pending" {
		p.Replay = &ui.Post{Action: fmt.Sprintf("%s/%d/replay", deliveriesPath, id), CSRF: p.CSRF, Label: "Replay this callback"}
	}
	for i, a := range attempts {
		p.Attempts = append(p.Attempts, attempt(d, a))
		p.Attempts[i].Open = i == 0
		if advice := relay.Advice(a.Status, a.Error); advice != "" && (i > 0 || p.Cause == nil) {
			p.Attempts[i].Facts = append(p.Attempts[i].Facts, ui.Pair{Key: "What to do", Value: advice})
		}
	}
	return page.Render(c, status, page.View{
		Frame: p.Page, Body: view.Delivery(p),
		Elsewhere: map[ui.Region]templ.Component{ui.Details: view.DeliveryDetails(p, fmt.Sprintf("%s/%d", deliveriesPath, id))},
	})
}

func deliveryState(d models.LoggedDelivery) view.State {
	badge := deliveryBadge(d)
	s := view.State{Tone: badge.Tone, Label: badge.Text}
	switch {
	case d.State == "pending" && d.NextAt != nil && d.Attempts > 0 && d.NextAt.After(time.Now()):
		s.Note = "The next attempt is due at " + clock(*d.NextAt) + "."
	case d.State == "pending":
		s.Note = "It is posted as soon as its turn comes."
	case d.State == "delivered":
		s.Note = "Your webhook took it."
	case d.Attempts == 0:
		s.Note = "It was not posted, because the webhook was disabled or removed."
	default:
		s.Note = "It was given up after " + strconv.Itoa(d.Attempts) + " attempts. Replay it once your webhook is well."
	}
	return s
}

func deliveryFacts(d models.LoggedDelivery) []ui.Pair {
	message, finished := "", ""
	if d.MessageID != nil {
		message = messaging.MessageID(*d.MessageID)
	}
	if d.FinishedAt != nil {
		finished = clock(*d.FinishedAt)
	}
	list := pairs("Event", d.Event, "webhook-id", strconv.FormatInt(d.ID, 10), "Phone number id", d.Subject, "Stored", clock(d.CreatedAt), "Finished", finished)
	if message != "" {
		list = append(list, ui.Pair{Key: "Message", Value: message, Mono: true, Href: messagePath(*d.MessageID)})
	}
	return list
}

// attempt shows what was posted and what came back. The values of the
// partner's own headers are not kept with attempts, nor are signatures.
func attempt(d models.LoggedDelivery, a models.Attempt) view.Attempt {
	v := view.Attempt{Heading: fmt.Sprintf("Attempt %d, %s, %d ms", a.Number, clock(a.StartedAt), a.Latency.Milliseconds())}
	if a.Status != 0 {
		v.Status = strconv.Itoa(a.Status)
	}
	v.Facts = pairs("Address", a.URL, "What went wrong", a.Error, "Latency", strconv.FormatInt(a.Latency.Milliseconds(), 10)+" ms")
	lines := []string{
		"Content-Type: application/json", "User-Agent: Heliograph-Relay/1", fmt.Sprintf("webhook-id: %d", d.ID), fmt.Sprintf("webhook-timestamp: %d", a.StartedAt.Unix()),
		"webhook-signature: (not kept)", "X-Hub-Signature-256: (not kept)", fmt.Sprintf("X-Heliograph-Delivery: %d", d.ID),
	}
	for name := range strings.Lines(a.Headers) {
		lines = append(lines, strings.TrimSuffix(name, "\n")+": (yours, hidden)")
	}
	v.Request = ui.Code{Title: "Request headers", Language: "http", Text: strings.Join(lines, "\n")}
	v.Response = ui.Code{Title: "Answer, its first 2 kB", Text: a.Response}
	return v
}

// indent makes JSON readable; what is none stays as it is.
func indent(body []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		return string(body)
	}
	return b.String()
}
