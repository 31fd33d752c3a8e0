package content

import "regexp"

// parents says below what an item of a kind stands; a product below nothing.
var parents = map[string]string{
	KindProduct: "", KindVersion: KindProduct, KindGuide: KindProduct,
	KindEndpoint: KindVersion, KindCategory: KindVersion, KindSchema: KindVersion, KindCallback: KindVersion,
}

// ParentKind returns the kind below which an item of a kind stands, empty for a
// product; ok is false for a kind that there is not.
func ParentKind(kind string) (parent string, ok bool) {
	parent, ok = parents[kind]
	return parent, ok
}

var slug = regexp.MustCompile(`^[a-z0-9]+([.-][a-z0-9]+)*$`)

// ValidSlug reports whether a text can be the last part of an item's address.
func ValidSlug(text string) bool { return len(text) <= 120 && slug.MatchString(text) }
