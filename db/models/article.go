package models

import "encoding/json"

// Article is a product that a partner sells. Empty members are not known.
type Article struct {
	ID          int64
	CatalogueID int64
	ArticleData
}

// ArticleData is what a partner says about a product.
type ArticleData struct {
	RetailerID   string // the partner's own id, unique in the catalogue
	Name         string
	Description  string
	Availability string
	Condition    string
	Brand        string
	Category     string
	URL          string
	ImageURL     string
	GroupID      string // the partner's own id of the group of variants
	Price        *int64 // in the smallest unit of the currency, nil when not known
	Currency     string // ISO 4217
	Shipping     json.RawMessage
	AppLinks     json.RawMessage
}

// ArticleFields are the fields that a filter may name, as partners and columns
// are named, and whether each is a number.
var ArticleFields = map[string]bool{
	"id": true, "retailer_id": false, "name": false, "description": false, "availability": false, "condition": false, "brand": false,
	"category": false, "url": false, "image_url": false, "retailer_product_group_id": false, "price": true, "currency": false,
}

// ArticleFilter says which products to list: a comparison when Field is set,
// else all of All and, where there are some, one of Any.
type ArticleFilter struct {
	All, Any []ArticleFilter

	Field    string // one of ArticleFields
	Operator string // eq, neq, contains, i_contains, is_any, lt or gt
	Value    any    // string or int64 as the field is; a slice of it for is_any
}
