package logs

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	view "heliograph/views/channels/logs"
	"heliograph/views/ui"
)

var deliveryStates = []ui.Option{
	{Label: "All states"}, {Value: "pending", Label: "Waiting"}, {Value: "delivered", Label: "Delivered"}, {Value: "failed", Label: "Failed"},
}

// deliveryQuery is the query of the log of callbacks. Times are in UTC.
type deliveryQuery struct {
	listing.Position
	State  string `query:"state"`
	Event  string `query:"event"`
	Number string `query:"number"` // id of the phone number or bot
	Replay int64  `query:"replay"` // its id
	From   string `query:"from"`
	To     string `query:"to"` // exclusive
	Before string `query:"before"`
}

var (
	eventName = regexp.MustCompile(`^[a-z][a-z_.]{0,59}$`)
	subjectID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// filter returns the filter of the query. The error names the invalid fields.
func (q deliveryQuery) filter(organisationID int64) (queries.DeliveryFilter, error) {
	var wrong listing.Faults
	f := queries.DeliveryFilter{OrganisationID: organisationID, Replay: q.Replay, From: wrong.Minute("from", q.From), To: wrong.Minute("to", q.To), OldestFirst: q.listing().Reversed()}
	f.State = wrong.Choice("state", q.State, deliveryStates)
	if f.Event = strings.TrimSpace(q.Event); f.Event != "" && !eventName.MatchString(f.Event) {
		wrong.Add("event", "Enter an event as the list shows it, for example message.failed.")
	}
	if f.Subject = strings.TrimSpace(q.Number); f.Subject != "" && !subjectID.MatchString(f.Subject) {
		wrong.Add("number", "Enter the id of a phone number or of a bot, as its page shows it.")
	}
	if q.Before != "" && !readPosition(q.Before, &f.Before) {
		wrong.Add("from", "The URL of this page is incomplete. Filter again.")
	}
	return f, wrong.Err()
}

func (q deliveryQuery) listing() listing.List {
	replay := ""
	if q.Replay != 0 {
		replay = strconv.FormatInt(q.Replay, 10)
	}
	return listing.List{
		Position: q.Position, Path: page.AccountDeliveriesPath, Standard: "desc", Orders: listing.Newest, Later: q.Before != "", One: "callback", Many: "callbacks",
		Filter: page.Query("state", q.State, "event", q.Event, "number", q.Number, "replay", replay, "from", q.From, "to", q.To),
	}
}

// position writes a place in the log as microseconds and id.
func position(p models.DeliveryPosition) string { return fmt.Sprintf("%d-%d", p.At.UnixMicro(), p.ID) }

func readPosition(text string, p *models.DeliveryPosition) bool {
	micro, id, _ := strings.Cut(text, "-")
	at, err := strconv.ParseInt(micro, 10, 64)
	if err != nil || at <= 0 || at > 32503680000_000_000 {
		return false
	}
	p.At = time.UnixMicro(at)
	p.ID, err = strconv.ParseInt(id, 10, 64)
	return err == nil && p.ID > 0
}

// Deliveries lists the callbacks of the organisation, the newest first.
func (h *Handlers) Deliveries(c echo.Context, asked deliveryQuery) error {
	l := asked.listing()
	lead, err := withRetention(c, h.DB, "Callbacks to your webhooks and their responses. Times are in UTC.")
	if err != nil {
		return err
	}
	p := view.LogPage{Frame: page.AccountFrame(c, "Callbacks", page.AccountDeliveriesPath), Lead: lead, List: deliveryList(asked)}
	filter, err := asked.filter(page.User(c).OrganisationID)
	if err != nil {
		return rejectFilter(c, l, p, err)
	}
	if asked.Replay != 0 {
		p.List.Filter.Keep = []ui.Pair{{Key: "replay", Value: strconv.FormatInt(asked.Replay, 10)}}
		if err := addReplay(c, h.DB, &p, asked.Replay); err != nil {
			return err
		}
	}
	found, err := readPages(l.Pages(), &filter.Before, func() (queries.LogPage[models.LoggedDelivery, models.DeliveryPosition], error) {
		return queries.DeliveryList(c.Request().Context(), h.DB, filter, listing.PageSize)
	})
	if err != nil {
		return err
	}
	p.List.Table.Rows = deliveryTable(found.Items, true).Rows
	l.Finish(c, &p.List, listing.Rows{Count: len(found.Items), More: found.More, Mark: func(v url.Values) { v.Set("before", position(found.Next)) }})
	sayReached(l, &p.List, found.Next.At)
	p.List.Live, p.Announcement = page.Refresh(c, ui.List, "callbacks"), p.List.Announcement()
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.LogView(p), Address: l.Address()})
}

// deliveryTable lists callbacks. details says whether each opens its details in a
// row below.
func deliveryTable(list []models.LoggedDelivery, details bool) ui.Table {
	t := ui.Table{Caption: "Callbacks", Quiet: true, Columns: []ui.Column{
		{Label: "Stored (UTC)", Plain: true}, {Label: "Event", Lead: true}, {Label: "State"}, {Label: "Attempts", Numeric: true}, {Label: "Last response"}, {Label: "webhook-id"},
	}}
	for _, d := range list {
		id, region := strconv.FormatInt(d.ID, 10), ui.Region("")
		if details {
			region = ui.Details.Of(id)
		}
		t.Rows = append(t.Rows, []ui.Cell{
			ui.Moment(d.CreatedAt), {Text: d.Event, Mono: true}, deliveryBadge(d),
			{Text: strconv.Itoa(d.Attempts)}, answer(d), {Body: view.Identifier(id, page.AccountDeliveriesPath+"/"+id, region), Opens: region},
		})
	}
	return t
}

// deliveryBadge is a cell with the state of a callback. A callback that failed and
// waits for its next attempt is retrying.
func deliveryBadge(d models.LoggedDelivery) ui.Cell {
	if d.State == "pending" && d.LastError != "" {
		return ui.Cell{Text: "Retrying", Badge: true, Tone: ui.Warn}
	}
	return ui.Cell{Text: ui.LabelOf(deliveryStates, d.State), Badge: true, Tone: listing.Tone(d.State)}
}

// answer is a cell with the outcome of the last attempt.
func answer(d models.LoggedDelivery) ui.Cell {
	switch {
	case d.LastStatus != 0:
		return ui.Cell{Body: ui.Status(strconv.Itoa(d.LastStatus)), Title: d.LastError}
	case d.Attempts > 0:
		return ui.Cell{Text: "No response", Title: d.LastError}
	}
	return ui.Cell{Text: "Not tried yet"}
}

func deliveryList(asked deliveryQuery) ui.Listing {
	l := ui.Listing{
		Filter: ui.Filter{
			Inputs: []ui.Input{
				{Name: "event", Label: "Event", Type: "search", Value: asked.Event, Placeholder: "message.failed"},
				{Name: "number", Label: "Phone number or bot id", Type: "search", Value: asked.Number},
			},
			Selects: []ui.Select{{Name: "state", Label: "State", Value: asked.State, Options: deliveryStates}},
			Times:   listing.Times(asked.From, asked.To),
		},
		Table: deliveryTable(nil, true),
		Empty: ui.EmptyState{Title: "No callbacks yet", Text: "Set a webhook, then send a message or a test event.", Next: ui.Link{Label: "Webhooks", Href: page.AccountWebhooksPath}},
	}
	l.Table.Columns[0] = asked.listing().Sorted(l.Table.Columns[0])
	if len(asked.listing().Filter) > 0 || asked.Before != "" {
		l.Empty = ui.EmptyState{Title: "No callbacks found", Text: "No callback matches this filter.", Next: ui.Link{Label: "Show all callbacks", Href: page.AccountDeliveriesPath}}
	}
	return l
}
