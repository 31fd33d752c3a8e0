package content

import (
	"regexp"
	"slices"
)

// parents maps each kind of item to the kind of its parent.
var parents = map[string]string{
	KindProduct: "", KindVersion: KindProduct, KindGuide: KindProduct,
	KindEndpoint: KindVersion, KindCategory: KindVersion, KindSchema: KindVersion, KindCallback: KindVersion,
}

// ParentKind returns the kind of the parent of items of a kind, empty for a
// product; ok is false for an unknown kind.
func ParentKind(kind string) (parent string, ok bool) {
	parent, ok = parents[kind]
	return parent, ok
}

var slug = regexp.MustCompile(`^[a-z0-9]+([.-][a-z0-9]+)*$`)

// ValidSlug reports whether a text can be the last part of an item's address.
func ValidSlug(text string) bool { return len(text) <= 120 && slug.MatchString(text) }

// reserved holds the last parts of addresses that the portal uses itself, beside
// versions, guides and endpoints.
var reserved = []string{"changelog", "compare", "errors", "latest", "schemas"}

// IsReserved reports whether no item of a kind can have a slug, because the
// portal has a page of its own there.
func IsReserved(kind, slug string) bool {
	return kind != KindCategory && kind != KindSchema && slices.Contains(reserved, slug)
}
