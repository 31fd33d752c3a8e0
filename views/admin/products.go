package admin

import (
	"heliograph/views/desk"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// ProductsPage lists the products.
type ProductsPage struct {
	layout.Frame
	Lead  string
	Saved desk.Filters
	List  ui.Listing
	New   ui.Link // missing for those who may not add a product
}

// Mark is the state of an item in a word.
type Mark struct {
	Tone ui.Tone
	Text string
}

// Leaf is an item in the tree of a product.
type Leaf struct {
	ui.Link
	Method string
	Note   string
	Mark   Mark
	Set    ui.Link // the change set that holds it
}

// Branch is a group of items of one kind.
type Branch struct {
	Title  string
	Count  string
	Open   bool
	Add    ui.Link
	Leaves []Leaf
}

// Trunk is the part of the tree below a product or a version.
type Trunk struct {
	Title    string
	Mark     Mark
	Stage    ui.Lifecycle
	Edit     ui.Link
	Branches []Branch
}

// ProductPage shows the tree of a product.
type ProductPage struct {
	layout.Frame
	Mark    Mark
	Note    string
	Links   []ui.Link
	Saved   desk.Filters
	List    ui.Listing // its filter and counts; the rows are the tree
	Trunks  []Trunk
	Release ReleasesPart
}

// ReleasesPart is the latest releases of a product.
type ReleasesPart struct {
	Table ui.Table
	All   ui.Link
}

// ReleasesPage lists the releases of a product.
type ReleasesPage struct {
	layout.Frame
	Lead  string
	Table ui.Table
}
