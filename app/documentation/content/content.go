// Package content defines the content of documentation items: the JSON of their
// revisions, the kinds of items, the lifecycle of versions and their order. All
// readers and writers of documentation use it, so it imports nothing of ours.
package content

import (
	"cmp"
	"encoding/json"
)

// The kinds of items. Guides and versions belong to a product, and all other
// kinds to a version.
const (
	KindProduct  = "product"
	KindVersion  = "version"
	KindEndpoint = "endpoint"
	KindGuide    = "guide"
	KindCategory = "category" // a tag of the API description
	KindSchema   = "schema"   // a member of components.schemas
	KindCallback = "callback" // a member of webhooks
)

// The labels of a version's lifecycle.
const (
	Current    = "Current"
	Beta       = "Beta"
	Deprecated = "Deprecated"
	Retired    = "Retired"
)

// Product is the content of a product.
type Product struct {
	Name        string `json:"name"`
	Summary     string `json:"summary"`     // one sentence, plain text
	Description string `json:"description"` // Markdown
	BaseURL     string `json:"base_url"`
	Accent      string `json:"accent"`         // name of a tint, empty for the default
	Icon        string `json:"icon,omitempty"` // SVG as it was entered, see ReadIcon
	Order       int    `json:"order"`          // ascending on the homepage
	Homepage    bool   `json:"homepage"`       // shown on the homepage
	ComingSoon  bool   `json:"coming_soon"`    // announced, without documentation
	Hidden      bool   `json:"hidden"`         // reachable by its address only
	// OwnApproval lets Editors approve their own changes to the product.
	OwnApproval bool `json:"own_approval,omitempty"`
	// SDKOff lists the languages without a client library, as slugs between spaces or
	// commas.
	SDKOff string `json:"sdk_off,omitempty"`
	// SDKLicense is the SPDX id of the client libraries' licence, empty for the default.
	SDKLicense string `json:"sdk_license,omitempty"`
}

// Version is the content of a version. Frame is the API description without
// the parts that are items of their own.
type Version struct {
	Label      string `json:"label"`         // Current, Beta, Deprecated or Retired
	ReleasedOn string `json:"released_on"`   // yyyy-mm-dd, empty for unknown
	Notes      string `json:"release_notes"` // Markdown
	SunsetOn   string `json:"sunset_on"`     // yyyy-mm-dd, empty for none
	// DeprecatedOn and RetiredOn are the days on which the label changed.
	DeprecatedOn string          `json:"deprecated_on,omitempty"` // yyyy-mm-dd
	RetiredOn    string          `json:"retired_on,omitempty"`    // yyyy-mm-dd
	MigrateTo    string          `json:"migrate_to"`              // slug of the recommended version
	MockLatency  string          `json:"mock_latency,omitempty"`  // milliseconds of the mock, such as 80 or 50-200
	Description  string          `json:"description"`             // Markdown
	Frame        json.RawMessage `json:"frame"`
}

// EndedOn returns the day on which a retired version stopped answering, as yyyy-mm-dd,
// empty where nobody said.
func (v Version) EndedOn() string { return cmp.Or(v.RetiredOn, v.SunsetOn) }

// Endpoint is the content of an endpoint or a callback: one operation of the
// API description. The path of a callback is its name.
type Endpoint struct {
	OperationID string          `json:"operation_id"`
	Name        string          `json:"name"`
	Category    string          `json:"category"`
	Method      string          `json:"method"`
	Path        string          `json:"path"`
	Purpose     string          `json:"purpose"` // Markdown
	Order       int             `json:"order"`   // ascending within the version
	Raw         json.RawMessage `json:"raw"`     // the operation object
	// Unpublished keeps the endpoint from readers when its version is released.
	Unpublished bool `json:"unpublished,omitempty"`
	// SearchedAs holds what people call it, for the search: see [Phrases].
	SearchedAs string `json:"searched_as,omitempty"`
}

// Schema is the content of a schema of a version. References name it by its
// name.
type Schema struct {
	Name  string          `json:"name"`  // the key in components.schemas
	Order int             `json:"order"` // ascending within the version
	Raw   json.RawMessage `json:"raw"`   // the Schema Object, or true or false
	// SearchedAs holds what people call it, for the search: see [Phrases].
	SearchedAs string `json:"searched_as,omitempty"`
}

// Category is the content of a category of operations.
type Category struct {
	Name        string          `json:"name"`        // as operations name it
	Description string          `json:"description"` // Markdown
	Order       int             `json:"order"`       // ascending within the version
	Raw         json.RawMessage `json:"raw"`         // the Tag Object
}

// Guide is the content of a guide page of a product.
type Guide struct {
	Title   string `json:"title"`
	Summary string `json:"summary"` // one sentence, plain text
	Group   string `json:"group"`   // heading that it stands under, shared with others
	Order   int    `json:"order"`   // ascending within the product
	Text    string `json:"text"`    // Markdown, without the title
	// Section names a section of the product guide in which the guide stands in place of
	// its product's, because it is for readers of every product.
	Section string `json:"section,omitempty"`
	// SearchedAs holds what people call it, for the search: see [Phrases].
	SearchedAs string `json:"searched_as,omitempty"`
}

// IsUnpublished reports whether the content of an item keeps it from readers.
func IsUnpublished(kind string, raw json.RawMessage) bool {
	var e struct {
		Unpublished bool `json:"unpublished"`
	}
	return (kind == KindEndpoint || kind == KindCallback) && json.Unmarshal(raw, &e) == nil && e.Unpublished
}
