// Package products lists the products, shows one with its items as a tree, puts the items
// in order, and says what the checks do in a product.
package products

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/lists"
	"heliograph/app/people/identity"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/filters"
	"heliograph/app/web/documentation/releases"
	"heliograph/app/web/listing"
	"heliograph/app/web/operation/insight"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/products"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB      db.Querier  // read only
	Rules   db.Beginner // where the rules of editing write
	Signals *db.Signals // notifies open pages; may be nil
	// Zone is the time zone of analytics; nil is UTC.
	Zone *time.Location
}

// noGroup heads the items that are in no group.
const noGroup = "Without a group"

// releasesShown is the number of releases on the page of a product.
const releasesShown = 5

// Show shows a product with its guides and versions as a tree.
func (h *Handlers) Show(c echo.Context, e desk.Editing) error {
	return h.render(c, http.StatusOK, e, treeView{})
}

// trendOf returns the views of a product for those who may see them: Editors see the
// products that they write.
func (h *Handlers) trendOf(c echo.Context, e desk.Editing) (ui.Chart, ui.Link, error) {
	if e.Actor.Role == identity.Editor && !e.Writes {
		return ui.Chart{}, ui.Link{}, nil
	}
	return insight.Recent(c, h.DB, h.Zone, e.Product.Slug)
}

// treeView is how a tree is shown after something was moved in it.
type treeView struct {
	open    []string // the branches that are open
	moved   int64    // the item that was moved, which gets the focus
	placed  string   // where it is, in words
	problem string   // why it was not moved
}

func (h *Handlers) render(c echo.Context, status int, e desk.Editing, shown treeView) error {
	ctx := c.Request().Context()
	items, err := queries.EditItemList(ctx, h.DB, e.Product.ID)
	if err != nil {
		return err
	}
	published, err := queries.ReleaseEntryList(ctx, h.DB, e.Product.ID, releasesShown)
	if err != nil {
		return err
	}
	t := productTree{Editing: e, treeView: shown, items: items, text: strings.TrimSpace(c.QueryParam("q")), state: c.QueryParam("state")}
	p := view.ProductPage{Frame: page.AdministrationFrame(c, e.Title, page.ProductsPath), Mark: desk.MarkOf(e.Product, ""), Note: e.Refusal}
	p.Up, p.Done = ui.Link{Label: "Products", Href: page.ProductsPath}, cmp.Or(desk.ItemDone[c.QueryParam("done")], filters.Done[c.QueryParam("done")])
	if e.Writes {
		p.Note = "You may edit this product."
	}
	p.Links = []ui.Link{
		{Label: "Product details", Href: desk.ItemPath(e.Product.ID, e.Product.ID)},
		{Label: "Drafts and reviews", Href: page.Address(page.DraftsPath, page.Query("product", listing.Plain(e.Product.ID)))},
	}
	if e.Product.Public() && e.Product.PracticeOf == 0 {
		p.Links = append(p.Links, ui.Link{Label: "Public page", Href: "/docs/" + e.Product.Slug})
	}
	if e.Actor.Role == identity.SuperAdmin {
		p.Links = append(p.Links, ui.Link{Label: "Checks", Href: checksPath(e.Product.ID)})
	}
	if p.Trend, p.Analytics, err = h.trendOf(c, e); err != nil {
		return err
	}
	p.Trunks = t.trunks()
	p.List = t.list()
	p.Release = view.ReleasesPart{Table: releases.Table(e, published, time.Now()), All: ui.Link{Label: "All releases", Href: desk.ProductPath(e.Product.ID) + "/releases"}}
	p.Release.Table.Quiet = true
	l := listing.List{Path: desk.ProductPath(e.Product.ID), Filter: page.Query("q", t.text, "state", t.state), One: "item", Many: "items"}
	l.Finish(c, &p.List, listing.Rows{Count: t.shown})
	p.List.Save = filters.SaveLink(filters.Items, l)
	if p.Saved, err = filters.Of(c, h.DB, filters.Items, l); err != nil {
		return err
	}
	p.Announcement = p.List.Announcement()
	if t.movable() {
		p.Move = view.TreeMove{Action: desk.ProductPath(e.Product.ID) + "/order", CSRF: p.CSRF}
	}
	if p.List.Problem = shown.problem; shown.problem != "" {
		p.Announcement = shown.problem
	}
	if at := slices.IndexFunc(items, func(i models.EditItem) bool { return i.ID == shown.moved }); at >= 0 && shown.placed != "" {
		p.Announcement = items[at].Name + " " + shown.placed
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Product(p), Address: l.Address()})
}

// tree arranges the items of a product.
type productTree struct {
	desk.Editing
	treeView
	items       []models.EditItem
	text, state string
	shown       int // items that the filter leaves
}

// movable reports whether items can be dragged: the tree shows all of them, and the
// user may write the product.
func (t *productTree) movable() bool { return t.Writes && t.text == "" && t.state == "" }

func (t *productTree) list() ui.Listing {
	l := ui.Listing{
		Filter: ui.Filter{
			Inputs: []ui.Input{{Name: "q", Label: "Name, path or address", Type: "search", Value: t.text}},
			Selects: []ui.Select{{Name: "state", Label: "State", Value: t.state, Options: []ui.Option{
				{Label: "All"}, {Value: "changed", Label: "With changes"}, {Value: "live", Label: "Live"}, {Value: "archived", Label: "Archived"}, {Value: "trash", Label: "Trash"},
			}}},
		},
		Empty: ui.EmptyState{Title: "Nothing found", Text: "No item matches this filter.", Next: ui.Link{Label: "Show all items", Href: desk.ProductPath(t.Product.ID)}},
	}
	if t.text == "" && t.state == "" {
		l.Empty = ui.EmptyState{Title: "No documentation yet", Text: "The product has no guide and no version.", Next: ui.Link{}}
	}
	return l
}

// trunks returns the guides of the product, then its versions, the newest first.
func (t *productTree) trunks() (list []view.Trunk) {
	own := view.Trunk{Title: "Guides"}
	own.Branches = t.branches(t.Product.ID, content.KindGuide, func(i models.EditItem) string { return i.Group })
	add := t.add(content.KindGuide, t.Product.ID)
	if len(own.Branches) > 0 {
		own.Edit = add
	} else if add.Exists() {
		own.Branches = []view.Branch{{Title: "No guides yet", Add: add, Open: true}}
	}
	if len(own.Branches) > 0 {
		list = append(list, own)
	}
	versions := lists.Where(t.items, func(i models.EditItem) bool { return i.Kind == content.KindVersion })
	slices.SortFunc(versions, func(a, b models.EditItem) int { return content.CompareVersions(b.Slug, a.Slug) })
	for _, v := range versions {
		if trunk, ok := t.version(v); ok {
			list = append(list, trunk)
		}
	}
	if add := t.add(content.KindVersion, t.Product.ID); add.Exists() {
		list = append(list, view.Trunk{Title: "Versions", Edit: add})
	}
	return list
}

// version is the part of the tree below a version; ok is false where the filter
// leaves nothing.
func (t *productTree) version(v models.EditItem) (trunk view.Trunk, ok bool) {
	trunk = view.Trunk{Title: "Version " + v.Slug, Stage: ui.Lifecycle(v.Label), Edit: ui.Link{Label: "Version details", Href: desk.ItemPath(t.Product.ID, v.ID)}}
	if mark := desk.MarkOf(v.Item, v.SetState); mark.Text != "Live" {
		trunk.Mark = mark
	}
	trunk.Branches = t.branches(v.ID, content.KindEndpoint, func(i models.EditItem) string { return i.Group })
	for _, kind := range []string{content.KindCallback, content.KindSchema, content.KindCategory} {
		title := map[string]string{content.KindCallback: "Callbacks", content.KindSchema: "Schemas", content.KindCategory: "Categories"}[kind]
		trunk.Branches = append(trunk.Branches, t.branches(v.ID, kind, func(models.EditItem) string { return title })...)
	}
	found := len(trunk.Branches) > 0 || t.passes(v)
	if add := t.adds(v.ID); t.Writes && len(add.Leaves) > 0 {
		trunk.Branches = append(trunk.Branches, add)
	}
	return trunk, found
}

// adds links to the forms of new parts of a version.
func (t *productTree) adds(versionID int64) view.Branch {
	b := view.Branch{Title: "Add to this version"}
	for _, kind := range []string{content.KindEndpoint, content.KindSchema, content.KindCallback, content.KindCategory} {
		if link := t.add(kind, versionID); link.Exists() {
			b.Leaves = append(b.Leaves, view.Leaf{Link: link})
		}
	}
	return b
}

// add links to the form of a new item, for those who may use it.
func (t *productTree) add(kind string, parentID int64) ui.Link {
	if !t.Writes || t.text != "" || t.state != "" {
		return ui.Link{}
	}
	word := strings.ToLower(desk.Kinds[kind])
	article := "a "
	if kind == content.KindEndpoint {
		article = "an "
	}
	return ui.Link{Label: "Add " + article + word, Href: page.Address(desk.ProductPath(t.Product.ID)+"/new", page.Query("kind", kind, "parent", listing.Plain(parentID)))}
}

// branches returns the items of a kind below a parent by their group, in order.
func (t *productTree) branches(parentID int64, kind string, group func(models.EditItem) string) (list []view.Branch) {
	at := map[string]int{}
	for _, i := range t.items {
		if i.ParentID != parentID || i.Kind != kind || !t.passes(i) {
			continue
		}
		name := group(i)
		name = orNone(name)
		n, known := at[name]
		if !known {
			n = len(list)
			at[name] = n
			b := view.Branch{Title: name, Key: kind + " " + listing.Plain(parentID) + " " + name, Group: group(i)}
			b.Open = t.text != "" || t.state != "" || (t.open == nil && kind == content.KindGuide) || slices.Contains(t.open, b.Key)
			if t.movable() {
				b.List = kind + " " + listing.Plain(parentID)
			}
			list = append(list, b)
		}
		list[n].Leaves = append(list[n].Leaves, t.leaf(i))
		t.shown++
	}
	for n := range list {
		list[n].Count = listing.Number(len(list[n].Leaves))
	}
	return list
}

func (t *productTree) leaf(i models.EditItem) view.Leaf {
	l := view.Leaf{Link: ui.Link{Label: i.Name, Href: desk.ItemPath(t.Product.ID, i.ID)}, Method: i.Method, Note: i.Slug}
	l.ID, l.Focus = listing.Plain(i.ID), i.ID == t.moved
	if t.movable() && i.Head() != 0 {
		l.Order = ui.Link{Label: "Move", Href: l.Href + "/order"}
	}
	if mark := desk.MarkOf(i.Item, i.SetState); mark.Text != "Live" {
		l.Mark = mark
	}
	if i.Action == "archive" {
		l.Mark = ui.Mark{Tone: ui.Warn, Text: "To be archived"}
	}
	if i.SetID != 0 {
		l.Set = ui.Link{Label: "Change set " + listing.Plain(i.SetID), Href: desk.DraftPath(i.SetID)}
	}
	return l
}

// passes reports whether the filter leaves an item.
func (t *productTree) passes(i models.EditItem) bool {
	is := map[string]bool{
		"changed": i.DraftRevisionID != 0 || i.SetID != 0, "live": i.Public(), "archived": i.Archived, "trash": i.Trashed,
		"": !i.Trashed && (i.Head() != 0 || i.SetID != 0),
	}
	return is[t.state] && holds(t.text, i.Name, i.Slug, i.Method+" "+i.Name)
}
