package gallery

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	view "heliograph/views/gallery"
	"heliograph/views/ui"
)

// query is the query of the list.
type query struct {
	listing.Position
	Text  string `query:"q"`
	State string `query:"state"`
	After int    `query:"after"` // the delivery that the page follows
}

func (q query) listing() listing.List {
	return listing.List{
		Position: q.Position, Path: path, Standard: "desc", Orders: listing.Newest, Later: q.After != 0, One: "delivery", Many: "deliveries",
		Filter: page.Query("q", q.Text, "state", q.State),
	}
}

// list returns the list of deliveries and its address.
func (h *Handlers) list(c echo.Context) (list ui.Listing, address string, err error) {
	asked, err := page.AskShown[query](c)
	if err != nil {
		return list, "", err
	}
	l := asked.listing()
	found := h.matching(asked)
	list.Filter.Inputs = []ui.Input{{Name: "q", Label: "Recipient", Type: "search", Value: asked.Text}}
	list.Filter.Selects = []ui.Select{{Name: "state", Label: "State", Value: asked.State, Options: states}}
	list.Table = ui.Table{Caption: "Deliveries", Columns: []ui.Column{l.Sorted(ui.Column{Label: "Time"}), {Label: "Recipient", Lead: true}, {Label: "State"}}}
	list.Empty = ui.EmptyState{Title: "No deliveries found", Text: "No delivery matches this filter.", Next: ui.Link{Label: "Show all deliveries", Href: path}}
	addRows(c, &list, l, found)
	list.Live = live(l)
	return list, l.Address(), nil
}

// addRows adds the rows of a page, and says where the next page begins. The link to
// it appends its rows.
func addRows(c echo.Context, list *ui.Listing, l listing.List, found []delivery) {
	shown := found[:min(len(found), l.Rows())]
	for _, d := range shown {
		details := ui.Details.Of(strconv.Itoa(d.id))
		list.Table.Rows = append(list.Table.Rows, []ui.Cell{{Text: d.at}, {Text: d.to, Mono: true, Href: deliveryPath(d), Opens: details}, badge(d)})
	}
	l.Finish(c, list, listing.Rows{Count: len(shown), More: len(found) > len(shown), Mark: func(v url.Values) { v.Set("after", strconv.Itoa(shown[len(shown)-1].id)) }})
}

// topic is the name of changed deliveries in the events of open pages.
const topic = "gallery"

// live refreshes a list when one of its rows changes.
func live(l listing.List) templ.Attributes {
	return ui.Refresh(ui.List, page.Address(path, l.Values()), topic)
}

// notify tells every open page that a delivery has changed. In a transaction, call
// it after the commit.
func (h *Handlers) notify() {
	h.Signals.Add(topic, 0)
}

// Advance delivers the oldest delivery that waits, and tells every open page.
func (h *Handlers) Advance(c echo.Context) error {
	done := h.advance()
	h.notify()
	if !page.WantsFragment(c) {
		return page.SeeOther(c, path)
	}
	v := page.View{Region: ui.List}
	v.Frame.Done = done
	return h.render(c, http.StatusOK, v, noteForm{problems: &page.Problems{}})
}

// Delivery shows one delivery.
func (h *Handlers) Delivery(c echo.Context, d delivery) error {
	p := view.Delivery{Frame: frame(c, "Delivery "+strconv.Itoa(d.id)), Region: ui.Details.Of(strconv.Itoa(d.id))}
	p.Up = ui.Link{Label: "Components", Href: path}
	p.Facts = []ui.Pair{{Key: "Recipient", Value: d.to, Mono: true}, {Key: "Time", Value: d.at}, {Key: "State", Value: badge(d).Text}}
	p.Remove = ui.Ask{Link: ui.Link{Label: "Remove the delivery", Href: deliveryPath(d) + "/removal"}, Region: removalRegion(d), Kind: ui.Danger}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.DeliveryPage(p)})
}

// AskRemove asks before a delivery is removed.
func (h *Handlers) AskRemove(c echo.Context) (*page.Question, error) {
	d, err := h.Find(c)
	if err != nil {
		return nil, err
	}
	f := frame(c, "Remove the delivery to "+d.to)
	f.Up = ui.Link{Label: "Components", Href: path}
	return &page.Question{Frame: f, Question: ui.Question{
		Region: removalRegion(d), Text: "The delivery disappears from the list until the server starts again.",
		Action: ui.Post{Label: "Remove the delivery", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep the delivery"},
	}, Into: ui.List}, nil
}

// Remove removes a delivery.
func (h *Handlers) Remove(c echo.Context, d delivery) error {
	h.mu.Lock()
	h.deliveries = slices.DeleteFunc(h.deliveries, func(other delivery) bool { return other.id == d.id })
	h.mu.Unlock()
	h.notify()
	if !page.WantsFragment(c) || page.Target(c) != ui.List {
		return page.SeeOther(c, path)
	}
	v := page.View{Region: ui.List}
	v.Frame.Done = "The delivery is removed."
	return h.render(c, http.StatusOK, v, noteForm{problems: &page.Problems{}})
}

func deliveryPath(d delivery) string { return path + "/deliveries/" + strconv.Itoa(d.id) }

func removalRegion(d delivery) ui.Region { return ui.Confirm.Of(strconv.Itoa(d.id)) }

var states = []ui.Option{{Label: "All"}, {Value: waiting, Label: "Waiting"}, {Value: delivered, Label: "Delivered"}}

func badge(d delivery) ui.Cell {
	if d.state == delivered {
		return ui.Cell{Text: "Delivered", Badge: true, Tone: ui.Good}
	}
	return ui.Cell{Text: "Waiting", Badge: true, Tone: ui.Info}
}

// matching returns the deliveries from the place of a query on.
func (h *Handlers) matching(asked query) (found []delivery) {
	h.mu.Lock()
	defer h.mu.Unlock()
	found = slices.Clone(h.deliveries)
	if !asked.listing().Reversed() {
		slices.Reverse(found)
	}
	if i := slices.IndexFunc(found, func(d delivery) bool { return d.id == asked.After }); i >= 0 {
		found = found[i+1:]
	}
	return slices.DeleteFunc(found, func(d delivery) bool {
		return asked.State != "" && d.state != asked.State || !strings.Contains(d.to, strings.TrimSpace(asked.Text))
	})
}

// advance delivers the oldest delivery that waits and describes what it did.
func (h *Handlers) advance() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, d := range h.deliveries {
		if d.state == waiting {
			h.deliveries[i].state = delivered
			return "The delivery to " + d.to + " is delivered."
		}
	}
	return "No delivery waits."
}

// Find returns the delivery of the path.
func (h *Handlers) Find(c echo.Context) (delivery, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := h.find(c); i >= 0 {
		return h.deliveries[i], nil
	}
	return delivery{}, fault.New(fault.NotFound, "This delivery does not exist.")
}
