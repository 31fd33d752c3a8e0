package products

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/products"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// orderForm moves an item to a place.
type orderForm struct {
	Group  string `form:"group"`
	Number string `form:"number"`

	done     string
	problems page.Problems
}

// ShowOrder shows the items that stand in one list with an item.
func (h *Handlers) ShowOrder(c echo.Context, e desk.Editing) error {
	return h.renderOrder(c, http.StatusOK, e, orderForm{done: desk.ItemDone[c.QueryParam("done")]})
}

func (h *Handlers) renderOrder(c echo.Context, status int, e desk.Editing, form orderForm) error {
	items, err := queries.EditItemList(c.Request().Context(), h.DB, e.Product.ID)
	if err != nil {
		return err
	}
	list := editorial.Siblings(items, e.Item.ID)
	if len(list) == 0 {
		return fault.New(fault.NotFound, "This item stands in no list.")
	}
	name := desk.Label(e.Item, desk.NameOf(e.Head.Content))
	title := "Order of " + list[0].Group
	if list[0].Group == "" {
		title = "Order beside " + name
	}
	p := view.OrderPage{Frame: page.AdministrationFrame(c, title, page.ProductsPath), Lead: "Each move goes into your change set. Readers see the new order when that is published."}
	p.Up, p.Done = ui.Link{Label: name, Href: e.Path()}, form.done
	for n, i := range list {
		row := view.OrderRow{
			Link: ui.Link{Label: desk.Label(i.Item, i.Name), Href: desk.ItemPath(e.Product.ID, i.ID)}, ID: listing.Plain(i.ID),
			Mark: desk.MarkOf(i.Item, i.SetState), IsFirst: n == 0, IsEnd: n == len(list)-1,
		}
		if e.Writes {
			row.Action = desk.ItemPath(e.Product.ID, i.ID) + "/order"
		}
		if i.ID == e.Item.ID && form.Number == "" {
			form.Group, form.Number = i.Group, strconv.Itoa(n+1)
		}
		p.Rows = append(p.Rows, row)
	}
	if e.Writes {
		p.Move = moveTo(e, items, form)
		p.Move.CSRF = p.CSRF
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Order(p), Region: page.Current(status)})
}

// moveTo is the form that moves an item to a number in a group.
func moveTo(e desk.Editing, items []models.EditItem, form orderForm) forms.Form {
	f := forms.Form{
		Name: "place", Action: e.Path() + "/place", Problem: form.problems.Form, Submit: "Move the item", Quiet: true,
		Inputs: []ui.Input{{Name: "number", Label: "Place", Value: form.Number, Required: true, Hint: "1 is the first place. A number beyond the end is the end.", Error: form.problems.Fields["number"]}},
	}
	if !editorial.IsGrouped(e.Item.Kind) {
		return f
	}
	names := []string{form.Group}
	for _, i := range items {
		name := i.Group
		if i.Kind == content.KindCategory && e.Item.Kind == content.KindEndpoint {
			name = i.Name
		} else if i.Kind != e.Item.Kind {
			continue
		}
		if i.ParentID == e.Item.ParentID && !i.Trashed && name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	s := ui.Select{Name: "group", Label: groupWords[e.Item.Kind], Value: form.Group}
	for _, name := range names {
		s.Options = append(s.Options, ui.Option{Value: name, Label: orNone(name)})
	}
	f.Selects = []ui.Select{s}
	return f
}

// groupWords names what groups the items of a kind.
var groupWords = map[string]string{content.KindEndpoint: "Category", content.KindGuide: "Group"}

func orNone(group string) string {
	return cmp.Or(group, noGroup)
}

// Reorder moves an item up or down in its list. In place the answer is the list.
func (h *Handlers) Reorder(c echo.Context, e desk.Editing) error {
	var form struct {
		To string `form:"to"`
	}
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	if form.To != "up" && form.To != "down" {
		return fault.New(fault.Invalid, "The form could not be read. Load the page again.")
	}
	if err := editorial.Reorder(c.Request().Context(), h.Rules, e.Actor, e.Item.ID, form.To == "up"); err != nil {
		return err
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	if page.Target(c) != ui.List {
		return page.SeeOther(c, e.Path()+"/order")
	}
	return h.renderOrder(c, http.StatusOK, e, orderForm{done: desk.Label(e.Item, desk.NameOf(e.Head.Content)) + " moved " + form.To + "."})
}

// PlaceAt moves an item to a number in a group.
func (h *Handlers) PlaceAt(c echo.Context, e desk.Editing) error {
	var form orderForm
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	number, err := strconv.Atoi(strings.TrimSpace(form.Number))
	if err != nil {
		err = fault.InvalidFields(fault.Field{Name: "number", Message: "Enter a whole number."})
	} else {
		_, err = editorial.PlaceAt(c.Request().Context(), h.Rules, e.Actor, e.Item.ID, form.Group, number)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			form.problems = *problems
			return h.renderOrder(c, status, e, form)
		})
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	return page.Done(c, e.Path()+"/order", "placed")
}

// Place moves an item in the tree of a product to where it was dragged. In place
// the answer is the tree; where somebody else changed the list, with the reason.
func (h *Handlers) Place(c echo.Context, e desk.Editing) error {
	var form struct {
		Item   int64  `form:"moved"`
		Group  string `form:"group"`
		Before int64  `form:"before"`
		Seen   string `form:"seen"`
		Open   string `form:"open"`
	}
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	ctx := c.Request().Context()
	if owner, err := queries.ItemProduct(ctx, h.DB, form.Item); err != nil || owner != e.Product.ID {
		return fault.New(fault.Invalid, "The form could not be read. Load the page again.")
	}
	shown := treeView{open: strings.Split(desk.PlainLines(form.Open), "\n"), moved: form.Item}
	to := editorial.Position{Group: form.Group, Before: form.Before, Seen: []int64{}}
	for id := range strings.SplitSeq(form.Seen, ",") {
		if n, err := strconv.ParseInt(id, 10, 64); err == nil {
			to.Seen = append(to.Seen, n)
		}
	}
	placed, err := editorial.Place(ctx, h.Rules, e.Actor, form.Item, to)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			shown.problem = problems.Form
			return h.render(c, status, e, shown)
		})
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	if !page.WantsFragment(c) {
		return page.Done(c, desk.ProductPath(e.Product.ID), "placed")
	}
	shown.placed = fmt.Sprintf("is now %d of %d.", placed.Number, placed.Count)
	if placed.Group != "" {
		shown.placed = fmt.Sprintf("is now %d of %d in %s.", placed.Number, placed.Count, placed.Group)
	}
	return h.render(c, http.StatusOK, e, shown)
}
