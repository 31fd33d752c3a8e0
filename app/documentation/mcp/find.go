package mcp

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/search"
	"heliograph/app/lists"
)

// mustProduct returns a product by its slug. The error names those that exist;
// it is the same for what is not published and what never was.
func (l library) mustProduct(slug string) (*published.Product, error) {
	if p := l.product(strings.TrimSpace(slug)); p != nil {
		return p, nil
	}
	names := lists.Map(l.products(), func(p *published.Product) string { return p.Slug })
	if slug == "" {
		return nil, mistakef("product is missing. Use one of: %s.", strings.Join(names, ", "))
	}
	return nil, mistakef("No published product %s. Closest: %s. All products: %s.", quote(slug), nearest(slug, names), strings.Join(names, ", "))
}

// mustPlace returns the version that a call is about: the current one, unless it
// names another.
func (l library) mustPlace(args arguments) (reference.Place, error) {
	p, err := l.mustProduct(args.Product)
	if err != nil {
		return reference.Place{}, err
	}
	name := strings.TrimSpace(args.Version)
	if name == "" || strings.EqualFold(name, "latest") || strings.EqualFold(name, "current") {
		return reference.Place{Product: p, Version: p.Latest()}, nil
	}
	var names []string
	for _, v := range p.VisibleVersions() {
		if v.Slug == name || v.Slug == strings.TrimPrefix(strings.ToLower(name), "v") {
			return reference.Place{Product: p, Version: v}, nil
		}
		names = append(names, v.Slug)
	}
	return reference.Place{}, mistakef("No published version %s of %s. Versions: %s. Leave version out for the current one, %s.", quote(name), p.Slug, strings.Join(names, ", "), p.Latest().Slug)
}

// mustOperation returns the operation that a call is about, by its id or by
// method and path.
func mustOperation(at reference.Place, args arguments) (*published.Operation, error) {
	where := at.Product.Slug + " " + at.Version.Slug
	if id := strings.TrimSpace(args.EndpointID); id != "" {
		var ids []string
		for _, op := range at.Version.Operations() {
			if strings.EqualFold(op.Slug, id) || strings.EqualFold(op.ID, id) {
				return op, nil
			}
			ids = append(ids, op.Slug)
		}
		return nil, mistakef("No published endpoint %s in %s. Closest: %s. list_endpoints lists all of them.", quote(id), where, nearest(id, ids))
	}
	if args.Path == "" {
		return nil, mistake("Name the endpoint: endpoint_id as list_endpoints gives it, or method and path.")
	}
	path := strings.TrimSpace(args.Path)
	var names []string
	byName := map[string]*published.Operation{}
	for _, op := range at.Version.Operations() {
		if (args.Method == "" || strings.EqualFold(op.Method, args.Method)) && (op.Path == path || samePath(op.Path, path)) {
			return op, nil
		}
		name := op.Method + " " + op.Path
		names, byName[name] = append(names, name), op
	}
	wanted := strings.TrimSpace(strings.ToUpper(args.Method) + " " + path)
	closest := nearest(wanted, names)
	return nil, mistakef("No published endpoint %s in %s. Closest: %s (id %s).", quote(wanted), where, closest, byName[closest].Slug)
}

// samePath reports whether a path has values, or other names, in the place of
// the parameters of a template.
func samePath(template, path string) bool {
	a, b := strings.Split(strings.Trim(template, "/"), "/"), strings.Split(strings.Trim(path, "/"), "/")
	if len(a) > len(b) {
		return false
	}
	b = b[len(b)-len(a):] // without the base path of a server
	for i := range a {
		if a[i] != b[i] && !(strings.HasPrefix(a[i], "{") && b[i] != "") {
			return false
		}
	}
	return true
}

// quote returns a name from a call for a message, at most 80 characters of it.
func quote(name string) string {
	r := []rune(strings.Join(strings.Fields(name), " "))
	return string(r[:min(len(r), 80)])
}

// nearest returns the name that has most sequences of three letters in common
// with the one wanted.
func nearest(wanted string, names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(search.Alike(wanted, a), search.Alike(wanted, b)) })
}
