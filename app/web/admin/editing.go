package admin

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// actor returns the user as those who write documentation are recorded.
func actor(c echo.Context) editorial.Actor {
	u := page.User(c)
	return editorial.Actor{ID: u.ID, Name: u.Actor(), Role: u.Role}
}

// editing is an item of a product on a page, and what its user may do with it.
type editing struct {
	actor   editorial.Actor
	product models.Item
	title   string // name of the product
	item    models.Item
	head    models.Revision  // zero for an item without content
	set     models.ChangeSet // the open change set that holds the item; zero for none
	writes  bool             // whether the user may write the product
	refusal string           // why the user may not edit the item now; empty if they may
}

// productPath is the page of a product.
func productPath(id int64) string { return productsPath + "/" + plain(id) }

// itemPath is the page of an item.
func itemPath(productID, itemID int64) string {
	return productPath(productID) + "/items/" + plain(itemID)
}

// path is the page of the item.
func (e editing) path() string { return itemPath(e.product.ID, e.item.ID) }

// kinds names the kinds of items.
var kinds = map[string]string{
	content.KindProduct: "Product", content.KindVersion: "Version", content.KindGuide: "Guide", content.KindEndpoint: "Endpoint",
	content.KindCallback: "Callback", content.KindSchema: "Schema", content.KindCategory: "Category",
}

// OpenProduct reads the product in the path.
func OpenProduct(c echo.Context, store db.Querier) (e editing, err error) {
	id, err := page.ID(c)
	if err != nil {
		return e, err
	}
	ctx := c.Request().Context()
	e.actor = actor(c)
	e.product, err = queries.ItemGet(ctx, store, id)
	if db.IsNoRows(err) || err == nil && (e.product.Kind != content.KindProduct || e.product.IsHiddenFrom(e.actor.ID)) {
		return e, fault.New(fault.NotFound, "This product does not exist.")
	}
	if err != nil {
		return e, err
	}
	e.title = e.product.Slug
	if head, err := revision(ctx, store, e.product.Head()); err != nil {
		return e, err
	} else if name := nameOf(head.Content); name != "" {
		e.title = name
	}
	return e, permit(ctx, store, &e)
}

// permit finds out whether the user may write the product.
func permit(ctx context.Context, store db.Querier, e *editing) error {
	err := editorial.MayEdit(ctx, store, e.actor, e.product.ID)
	e.writes = err == nil
	if f := fault.As(err); f != nil && f.Kind == fault.Forbidden {
		e.refusal = f.Message
		return nil
	}
	return err
}

// OpenItem reads the item in the path.
func OpenItem(c echo.Context, store db.Querier) (e editing, err error) {
	if e, err = OpenProduct(c, store); err != nil {
		return e, err
	}
	missing := fault.New(fault.NotFound, "This item does not exist.")
	id, err := strconv.ParseInt(c.Param("item"), 10, 64)
	if err != nil {
		return e, missing
	}
	ctx := c.Request().Context()
	owner, err := queries.ItemProduct(ctx, store, id)
	if db.IsNoRows(err) || err == nil && owner != e.product.ID {
		return e, missing
	}
	if err == nil {
		e.item, err = queries.ItemGet(ctx, store, id)
	}
	if err == nil {
		e.head, err = revision(ctx, store, e.item.Head())
	}
	if err != nil {
		return e, err
	}
	e.set, err = queries.ChangeSetGetOpen(ctx, store, id)
	if err != nil && !db.IsNoRows(err) {
		return e, err
	}
	switch {
	case e.refusal != "":
	case e.item.Trashed:
		e.refusal = "This item is in the trash. Take it out of the trash to edit it."
	case e.set.ID != 0 && e.set.AuthorID != e.actor.ID:
		e.refusal = heldBy(e.set)
	}
	return e, nil
}

// guard refuses users who may not edit the product, whatever else their form has.
func (e editing) guard() error {
	if e.writes {
		return nil
	}
	return fault.New(fault.Forbidden, "%s", e.refusal)
}

// heldBy says that somebody else is changing an item.
func heldBy(set models.ChangeSet) string {
	return authorName(set) + " is changing this item in change set " + plain(set.ID) + ". You can edit it when that is published, discarded or rejected."
}

// authorName names the author of a change set.
func authorName(set models.ChangeSet) string {
	if set.AuthorID == 0 {
		return "The program"
	}
	return set.AuthorName
}

// revision reads a revision; of id zero an empty one.
func revision(ctx context.Context, store db.Querier, id int64) (models.Revision, error) {
	if id == 0 {
		return models.Revision{}, nil
	}
	return queries.RevisionGet(ctx, store, id)
}

// nameOf returns the name or the title of a content.
func nameOf(raw json.RawMessage) string {
	var named struct{ Name, Title string }
	if json.Unmarshal(raw, &named) != nil { // a broken content has no name
		return ""
	}
	return strings.TrimSpace(named.Name + named.Title)
}

// label returns what an item is called.
func label(item models.Item, name string) string {
	if item.Kind == content.KindVersion || name == "" {
		return item.Slug
	}
	return name
}

// markOf returns the state of an item in a word. The state of the change set
// that holds it may be empty.
func markOf(item models.Item, setState string) view.Mark {
	switch {
	case item.Trashed:
		return view.Mark{Text: "Trash"}
	case setState == editorial.StateScheduled:
		return view.Mark{Tone: ui.Info, Text: "Scheduled"}
	case setState == editorial.StateInReview || setState == editorial.StateApproved:
		return view.Mark{Tone: ui.Info, Text: map[string]string{editorial.StateInReview: "In review", editorial.StateApproved: "Approved"}[setState]}
	case item.Archived && item.DraftRevisionID == 0:
		return view.Mark{Text: "Archived"}
	case item.LiveRevisionID == 0 && item.DraftRevisionID == 0:
		return view.Mark{Text: "Empty"}
	case item.LiveRevisionID == 0 || item.Archived:
		return view.Mark{Tone: ui.Warn, Text: "Draft"}
	case item.DraftRevisionID != 0 || setState != "":
		return view.Mark{Tone: ui.Warn, Text: "Live with changes"}
	}
	return view.Mark{Tone: ui.Good, Text: "Live"}
}

// fieldOf returns a member of a content, by its JSON name.
func fieldOf(content json.RawMessage, name string) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	err := json.Unmarshal(content, &members)
	return members[name], err
}

// publicPath is the page of an item that readers see, empty for one without.
func publicPath(ctx context.Context, store db.Querier, e editing) (string, error) {
	if !e.item.Public() || !e.product.Public() || e.product.PracticeOf != 0 {
		return "", nil
	}
	docs := "/docs/" + e.product.Slug
	switch e.item.Kind {
	case content.KindProduct:
		return docs, nil
	case content.KindGuide:
		return "/productguide/" + e.product.Slug + "/" + e.item.Slug, nil
	case content.KindVersion:
		return docs + "/" + e.item.Slug, nil
	case content.KindEndpoint, content.KindCallback, content.KindSchema:
		version, err := queries.ItemGet(ctx, store, e.item.ParentID)
		if err != nil || !version.Public() {
			return "", err
		}
		if e.item.Kind == content.KindSchema {
			return docs + "/" + version.Slug + "/schemas/" + url.PathEscape(nameOf(e.head.Content)), nil
		}
		return docs + "/" + version.Slug + "/" + e.item.Slug, nil
	}
	return "", nil
}
