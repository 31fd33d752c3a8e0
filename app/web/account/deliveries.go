package account

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/account"
	"heliograph/views/ui"
)

var deliveryStates = []ui.Option{
	{Label: "Every state"}, {Value: "pending", Label: "Waiting"}, {Value: "delivered", Label: "Delivered"}, {Value: "failed", Label: "Given up"},
}

// deliveryQuery is what the address of the log of callbacks says. Times are in
// UTC.
type deliveryQuery struct {
	State  string `query:"state"`
	Event  string `query:"event"`
	Number string `query:"number"` // id of the phone number
	Replay int64  `query:"replay"` // its id
	From   string `query:"from"`
	To     string `query:"to"` // exclusive
	Before string `query:"before"`
	Passed string `query:"passed"`
	Since  string `query:"since"` // the last row of a list that refreshes itself
}

var eventName = regexp.MustCompile(`^[a-z][a-z_.]{0,59}$`)

// filter reads the query; the fault names the fields that cannot be read.
func (q deliveryQuery) filter(organisationID int64) (queries.DeliveryFilter, error) {
	var wrong faults
	f := queries.DeliveryFilter{OrganisationID: organisationID, Replay: q.Replay, From: wrong.minute("from", q.From), To: wrong.minute("to", q.To)}
	f.State = wrong.choice("state", q.State, deliveryStates)
	if f.Event = strings.TrimSpace(q.Event); f.Event != "" && !eventName.MatchString(f.Event) {
		wrong.add("event", "Write a kind of event as the list shows it, for example message.failed.")
	}
	if f.Subject = strings.TrimSpace(q.Number); f.Subject != "" {
		if _, err := strconv.ParseInt(f.Subject, 10, 64); err != nil {
			wrong.add("number", "Write the id of a phone number: its digits only.")
		}
	}
	if q.Before != "" && !readPosition(q.Before, &f.Before) {
		wrong.add("from", "The address of this page is not complete. Filter again.")
	}
	return f, wrong.err()
}

func (q deliveryQuery) place() place {
	replay := ""
	if q.Replay != 0 {
		replay = strconv.FormatInt(q.Replay, 10)
	}
	return place{deliveriesPath, page.Query("state", q.State, "event", q.Event, "number", q.Number, "replay", replay, "from", q.From, "to", q.To), q.Before, q.Passed}
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

// Deliveries lists what the organisation's webhooks were told, the newest
// first.
func (h *Handlers) Deliveries(c echo.Context) error {
	asked, err := page.Ask[deliveryQuery](c)
	if err != nil {
		return err
	}
	p := view.LogPage{Frame: frame(c, "Callbacks", deliveriesPath), Lead: "What your webhooks were told, and how they answered. Times are in UTC.", Log: deliveryLog(asked)}
	filter, err := asked.filter(page.User(c).OrganisationID)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			p.Log.Mend(problems.Fields)
			return page.Render(c, status, page.View{Frame: p.Page, Body: view.LogView(p), Region: ui.Filtered})
		})
	}
	if asked.Replay != 0 {
		p.Log.Filter.Keep = []ui.Pair{{Key: "replay", Value: strconv.FormatInt(asked.Replay, 10)}}
		if err := h.showReplay(c, &p, asked.Replay); err != nil {
			return err
		}
	}
	found, err := queries.DeliveryList(c.Request().Context(), h.DB, filter, sizeOf(asked.Since))
	if err != nil {
		return err
	}
	var last models.DeliveryPosition
	if readPosition(asked.Since, &last) {
		found.Items = since(found.Items, func(d models.LoggedDelivery) bool { return !d.CreatedAt.Before(last.At) })
	}
	p.Log.Table = deliveryTable(found.Items, true)
	if n := len(found.Items); n > 0 && asked.Before == "" {
		d := found.Items[n-1]
		p.Log.Table.Live = asked.place().live(position(models.DeliveryPosition{At: d.CreatedAt, ID: d.ID}), "callbacks")
	}
	next := ""
	if found.More {
		next = position(found.Next)
	}
	asked.place().paging(&p.Log, next, len(found.Items) == pageSize, found.Next.At)
	return page.Render(c, http.StatusOK, logView(p, asked.place()))
}

// deliveryTable lists callbacks. The details of each are shown below it where
// details says so.
func deliveryTable(list []models.LoggedDelivery, details bool) ui.Table {
	t := ui.Table{Caption: "Callbacks", Quiet: true, Grows: details, Columns: []ui.Column{
		{Label: "Stored (UTC)", Plain: true}, {Label: "Event", Lead: true}, {Label: "State"}, {Label: "Attempts", Numeric: true}, {Label: "Last answer"}, {Label: "webhook-id"},
	}}
	for _, d := range list {
		id, below := strconv.FormatInt(d.ID, 10), ui.Region("")
		if details {
			below, t.Keys = ui.Details.Of(id), append(t.Keys, id)
		}
		t.Rows = append(t.Rows, []ui.Cell{
			moment(d.CreatedAt), {Text: d.Event, Mono: true}, deliveryBadge(d),
			{Text: strconv.Itoa(d.Attempts)}, answer(d), {Body: view.Identifier(id, deliveriesPath+"/"+id, below)},
		})
	}
	return t
}

// deliveryBadge is the state of a callback; one that waits after it failed is
// told from one that was not tried.
func deliveryBadge(d models.LoggedDelivery) ui.Cell {
	if d.State == "pending" && d.LastError != "" {
		return ui.Cell{Text: "Retrying", Badge: true, Tone: ui.Warn}
	}
	return ui.Cell{Text: page.LabelOf(deliveryStates, d.State), Badge: true, Tone: tone(d.State)}
}

// answer is how the last attempt ended.
func answer(d models.LoggedDelivery) ui.Cell {
	switch {
	case d.LastStatus != 0:
		return ui.Cell{Body: ui.Status(strconv.Itoa(d.LastStatus)), Title: d.LastError}
	case d.Attempts > 0:
		return ui.Cell{Text: "No answer", Title: d.LastError}
	}
	return ui.Cell{Text: "Not tried yet"}
}

func deliveryLog(asked deliveryQuery) view.Log {
	at := asked.place()
	l := view.Log{
		Filter: ui.Filter{
			Action: deliveriesPath,
			Inputs: []ui.Input{
				{Name: "event", Label: "Event", Type: "search", Value: asked.Event, Placeholder: "message.failed"},
				{Name: "number", Label: "Phone number id", Type: "search", Value: asked.Number},
			},
			Selects: []ui.Select{{Name: "state", Label: "State", Value: asked.State, Options: deliveryStates}},
			Times: []ui.Input{
				{Name: "from", Label: "From (UTC)", Type: "datetime-local", Value: asked.From},
				{Name: "to", Label: "Before (UTC)", Type: "datetime-local", Value: asked.To},
			},
			Clear:  page.ShowAll(at.path, at.filter),
			Region: ui.List,
		},
		Table: deliveryTable(nil, true),
		Empty: view.Empty{Title: "No callbacks yet", Text: "Set a webhook, then send a message or a test event.", Next: ui.Link{Label: "Webhooks", Href: webhooksPath}},
	}
	if len(at.filter) > 0 || asked.Before != "" {
		l.Empty = view.Empty{Title: "No callback fits", Text: "Nothing that your webhooks were told fits this filter.", Next: ui.Link{Label: "Show all callbacks", Href: deliveriesPath}}
	}
	return l
}
