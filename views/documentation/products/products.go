// Package products renders products and their trees.
package products

import (
	"github.com/a-h/templ"

	"heliograph/static"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// ProductsPage lists the products.
type ProductsPage struct {
	layout.Frame
	Lead  string
	Saved ui.SavedFilters
	List  ui.Listing
	New   ui.Link // missing for those who may not add a product
}

// Leaf is an item in the tree of a product.
type Leaf struct {
	ui.Link
	ID     string
	Order  ui.Link // the page that moves it, missing where it cannot be moved
	Focus  bool    // whether its link gets the focus
	Method string
	Note   string
	Mark   ui.Mark
	Set    ui.Link // the change set that holds it
}

// Branch is a group of items of one kind.
type Branch struct {
	Title  string
	Key    string // names the branch in its tree
	List   string // branches of one list exchange items; empty where nothing is dragged
	Group  string // the group that its items have
	Count  string
	Open   bool
	Add    ui.Link
	Leaves []Leaf
}

// Trunk is the part of the tree below a product or a version.
type Trunk struct {
	Title    string
	Mark     ui.Mark
	Stage    ui.Lifecycle
	Edit     ui.Link
	Branches []Branch
}

// ProductPage shows the tree of a product.
type ProductPage struct {
	layout.Frame
	Mark    ui.Mark
	Note    string
	Links   []ui.Link
	Saved   ui.SavedFilters
	List    ui.Listing // its filter and counts; the rows are the tree
	Trunks  []Trunk
	Move    TreeMove
	Release ReleasesPart
	// Trend is what was read lately, and Analytics leads to more of it. The link is zero
	// for those who may not see it.
	Trend     ui.Chart
	Analytics ui.Link
}

// TreeMove is the form that dragging an item sends. Its Action is empty where nothing
// can be moved.
type TreeMove struct{ Action, CSRF string }

// ReleasesPart is the latest releases of a product.
type ReleasesPart struct {
	Table ui.Table
	All   ui.Link
}

func (m TreeMove) arranges() templ.Attributes {
	if m.Action == "" {
		return nil
	}
	return templ.Attributes{"data-arrange": static.URL("js/drag.js")}
}

func (b Branch) lists() templ.Attributes {
	if b.List == "" {
		return nil
	}
	return templ.Attributes{"data-list": b.List, "data-group": b.Group}
}

func (l Leaf) at() templ.Attributes {
	if !l.Order.Exists() {
		return nil
	}
	return templ.Attributes{"data-at": l.ID}
}
