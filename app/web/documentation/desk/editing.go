// Package desk reads the items and change sets that pages of the editorial desk show, and
// says what their user may do with them.
package desk

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
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/views/ui"
)

// Actor returns the user as writers of documentation are recorded.
func Actor(c echo.Context) editorial.Actor {
	u := page.User(c)
	return editorial.Actor{ID: u.ID, Name: u.Actor(), Role: u.Role}
}

// Editing is an item of a product on a page, and what its user may do with it.
type Editing struct {
	Actor   editorial.Actor
	Product models.Item
	Title   string // name of the product
	Item    models.Item
	Head    models.Revision  // zero for an item without content
	Set     models.ChangeSet // the open change set that holds the item; zero for none
	Writes  bool             // whether the user may write the product
	Refusal string           // why the user may not edit the item now; empty if they may
}

// ProductPath is the page of a product.
func ProductPath(id int64) string { return page.ProductsPath + "/" + listing.Plain(id) }

// ItemPath is the page of an item.
func ItemPath(productID, itemID int64) string {
	return ProductPath(productID) + "/items/" + listing.Plain(itemID)
}

// Path is the page of the item.
func (e Editing) Path() string { return ItemPath(e.Product.ID, e.Item.ID) }

// Kinds names the kinds of items.
var Kinds = map[string]string{
	content.KindProduct: "Product", content.KindVersion: "Version", content.KindGuide: "Guide", content.KindEndpoint: "Endpoint",
	content.KindCallback: "Callback", content.KindSchema: "Schema", content.KindCategory: "Category",
}

// OpenProduct reads the product in the path.
func OpenProduct(c echo.Context, store db.Querier) (e Editing, err error) {
	id, err := page.ID(c)
	if err != nil {
		return e, err
	}
	ctx := c.Request().Context()
	e.Actor = Actor(c)
	e.Product, err = queries.ItemGet(ctx, store, id)
	if db.IsNoRows(err) || err == nil && (e.Product.Kind != content.KindProduct || e.Product.IsHiddenFrom(e.Actor.ID)) {
		return e, fault.New(fault.NotFound, "This product does not exist.")
	}
	if err != nil {
		return e, err
	}
	e.Title = e.Product.Slug
	if head, err := Revision(ctx, store, e.Product.Head()); err != nil {
		return e, err
	} else if name := NameOf(head.Content); name != "" {
		e.Title = name
	}
	return e, permit(ctx, store, &e)
}

// WithProduct makes a handler of one that takes the product in the path.
func WithProduct(store db.Querier, handle func(c echo.Context, e Editing) error) echo.HandlerFunc {
	return with(store, OpenProduct, handle)
}

// WithItem makes a handler of one that takes the item in the path.
func WithItem(store db.Querier, handle func(c echo.Context, e Editing) error) echo.HandlerFunc {
	return with(store, OpenItem, handle)
}

// WithDraft makes a handler of one that takes the change set in the path.
func WithDraft(store db.Querier, handle func(c echo.Context, d Draft) error) echo.HandlerFunc {
	return with(store, OpenDraft, handle)
}

func with[T any](store db.Querier, open func(echo.Context, db.Querier) (T, error), handle func(echo.Context, T) error) echo.HandlerFunc {
	return page.With(func(c echo.Context) (T, error) { return open(c, store) }, handle)
}

// Writing refuses, before handle changes something, a user without the right to edit.
func Writing(handle func(c echo.Context, e Editing) error) func(c echo.Context, e Editing) error {
	return func(c echo.Context, e Editing) error {
		if err := e.Guard(); err != nil {
			return err
		}
		return handle(c, e)
	}
}

// permit finds out whether the user may write the product.
func permit(ctx context.Context, store db.Querier, e *Editing) error {
	err := editorial.MayEdit(ctx, store, e.Actor, e.Product.ID)
	e.Writes = err == nil
	if f := fault.As(err); f != nil && f.Kind == fault.Forbidden {
		e.Refusal = f.Message
		return nil
	}
	return err
}

// OpenItem reads the item in the path.
func OpenItem(c echo.Context, store db.Querier) (e Editing, err error) {
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
	if db.IsNoRows(err) || err == nil && owner != e.Product.ID {
		return e, missing
	}
	if err == nil {
		e.Item, err = queries.ItemGet(ctx, store, id)
	}
	if err == nil {
		e.Head, err = Revision(ctx, store, e.Item.Head())
	}
	if err != nil {
		return e, err
	}
	e.Set, err = queries.ChangeSetGetOpen(ctx, store, id)
	if err != nil && !db.IsNoRows(err) {
		return e, err
	}
	switch {
	case e.Refusal != "":
	case e.Item.Trashed:
		e.Refusal = "This item is in the trash. Take it out of the trash to edit it."
	case e.Set.ID != 0 && e.Set.AuthorID != e.Actor.ID:
		e.Refusal = heldBy(e.Set)
	}
	return e, nil
}

// Guard refuses users who may not edit the product, whatever else their form has.
func (e Editing) Guard() error {
	if e.Writes {
		return nil
	}
	return fault.New(fault.Forbidden, "%s", e.Refusal)
}

// heldBy says that somebody else is changing an item.
func heldBy(set models.ChangeSet) string {
	return AuthorName(set) + " is changing this item in change set " + listing.Plain(set.ID) + ". You can edit it when that is published, discarded or rejected."
}

// AuthorName names the author of a change set.
func AuthorName(set models.ChangeSet) string {
	if set.AuthorID == 0 {
		return "The program"
	}
	return set.AuthorName
}

// Revision reads a revision; of id zero an empty one.
func Revision(ctx context.Context, store db.Querier, id int64) (models.Revision, error) {
	if id == 0 {
		return models.Revision{}, nil
	}
	return queries.RevisionGet(ctx, store, id)
}

// NameOf returns the name or the title of a content.
func NameOf(raw json.RawMessage) string {
	var named struct{ Name, Title string }
	if json.Unmarshal(raw, &named) != nil { // a broken content has no name
		return ""
	}
	return strings.TrimSpace(named.Name + named.Title)
}

// Label returns what an item is called.
func Label(item models.Item, name string) string {
	if item.Kind == content.KindVersion || name == "" {
		return item.Slug
	}
	return name
}

// MarkOf returns the state of an item in a word. The state of the change set
// that holds it may be empty.
func MarkOf(item models.Item, setState string) ui.Mark {
	switch {
	case item.Trashed:
		return ui.Mark{Text: "Trash"}
	case setState == editorial.StateScheduled:
		return ui.Mark{Tone: ui.Info, Text: "Scheduled"}
	case setState == editorial.StateInReview || setState == editorial.StateApproved:
		return ui.Mark{Tone: ui.Info, Text: map[string]string{editorial.StateInReview: "In review", editorial.StateApproved: "Approved"}[setState]}
	case item.Archived && item.DraftRevisionID == 0:
		return ui.Mark{Text: "Archived"}
	case item.LiveRevisionID == 0 && item.DraftRevisionID == 0:
		return ui.Mark{Text: "Empty"}
	case item.LiveRevisionID == 0 || item.Archived:
		return ui.Mark{Tone: ui.Warn, Text: "Draft"}
	case item.DraftRevisionID != 0 || setState != "":
		return ui.Mark{Tone: ui.Warn, Text: "Live with changes"}
	}
	return ui.Mark{Tone: ui.Good, Text: "Live"}
}

// FieldOf returns a member of a content, by its JSON name.
func FieldOf(content json.RawMessage, name string) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	err := json.Unmarshal(content, &members)
	return members[name], err
}

// PublicPath is the page of an item that readers see, empty for one without.
func PublicPath(ctx context.Context, store db.Querier, e Editing) (string, error) {
	if !e.Item.Public() || !e.Product.Public() || e.Product.PracticeOf != 0 {
		return "", nil
	}
	docs := "/docs/" + e.Product.Slug
	switch e.Item.Kind {
	case content.KindProduct:
		return docs, nil
	case content.KindGuide:
		return "/productguide/" + e.Product.Slug + "/" + e.Item.Slug, nil
	case content.KindVersion:
		return docs + "/" + e.Item.Slug, nil
	case content.KindEndpoint, content.KindCallback, content.KindSchema:
		version, err := queries.ItemGet(ctx, store, e.Item.ParentID)
		if err != nil || !version.Public() {
			return "", err
		}
		if e.Item.Kind == content.KindSchema {
			return docs + "/" + version.Slug + "/schemas/" + url.PathEscape(NameOf(e.Head.Content)), nil
		}
		return docs + "/" + version.Slug + "/" + e.Item.Slug, nil
	}
	return "", nil
}
