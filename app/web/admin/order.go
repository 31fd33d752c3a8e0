package admin

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// ShowOrder shows the items that stand in one list with an item.
func (h *Handlers) ShowOrder(c echo.Context) error {
	e, err := h.editing(c)
	if err != nil {
		return err
	}
	return h.renderOrder(c, e, "")
}

func (h *Handlers) renderOrder(c echo.Context, e editing, done string) error {
	items, err := queries.EditItemList(c.Request().Context(), h.DB, e.product.ID)
	if err != nil {
		return err
	}
	list := editorial.Siblings(items, e.item.ID)
	if len(list) == 0 {
		return fault.New(fault.NotFound, "This item stands in no list.")
	}
	title := "Order of " + list[0].Group
	if list[0].Group == "" {
		title = "Order beside " + label(e.item, nameOf(e.head.Content))
	}
	p := view.OrderPage{Frame: frame(c, title, productsPath), Lead: "Each move goes into your change set. Readers see the new order when that is published."}
	p.Up, p.Done = ui.Link{Label: label(e.item, nameOf(e.head.Content)), Href: e.path()}, done
	for n, i := range list {
		row := view.OrderRow{Link: ui.Link{Label: label(i.Item, i.Name), Href: itemPath(e.product.ID, i.ID)}, ID: plain(i.ID), Mark: markOf(i.Item, i.SetState), IsFirst: n == 0, IsEnd: n == len(list)-1}
		if e.writes {
			row.Action = itemPath(e.product.ID, i.ID) + "/order"
		}
		p.Rows = append(p.Rows, row)
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Order(p)})
}

// Reorder moves an item up or down in its list. In place the answer is the list.
func (h *Handlers) Reorder(c echo.Context) error {
	e, err := h.editing(c)
	if err != nil {
		return err
	}
	var form struct {
		To string `form:"to"`
	}
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	if form.To != "up" && form.To != "down" {
		return fault.New(fault.Invalid, "The form could not be read. Load the page again.")
	}
	if err := editorial.Reorder(c.Request().Context(), h.Documentation, e.actor, e.item.ID, form.To == "up"); err != nil {
		return err
	}
	h.Signals.Add(draftsTopic, 0)
	if page.Target(c) != ui.List {
		return page.SeeOther(c, e.path()+"/order")
	}
	name := label(e.item, nameOf(e.head.Content))
	return h.renderOrder(c, e, name+" moved "+form.To+".")
}
