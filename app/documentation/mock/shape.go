package mock

import (
	"net/url"
	"strconv"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/sampling"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/openapi/validate"
)

// The sizes of lists that the preference shape asks for.
const (
	fullList = 100 // items of a list without a maximum
	mostList = 1_000
)

// pageSizes are the query parameters that bound a list.
var pageSizes = []string{"limit", "page_size", "pageSize", "per_page", "perPage", "size", "count", "top"}

// reshape gives the lists of a value another length: the value itself, or the
// members of an object that are lists. It reports false where there is no list.
func reshape(v *tree.Node, schema graph.Schema, p preferences, r validate.Request) (*tree.Node, bool) {
	if v.Is(tree.KindArray) {
		return resized(v, schema, p, r), true
	}
	if !v.Is(tree.KindObject) {
		return v, false
	}
	made, changed := tree.Object(), false
	for _, m := range v.Members {
		value := m.Value
		if value.Is(tree.KindArray) {
			value, changed = resized(value, propertyOf(schema, m.Key), p, r), true
		}
		made.Append(m.Key, value)
	}
	return made, changed
}

// resized makes a list empty, of one item, or as long as it may be. The schema
// may ask for more or fewer.
func resized(list *tree.Node, schema graph.Schema, p preferences, r validate.Request) *tree.Node {
	least, most := 0, -1
	var items graph.Schema
	for s := range inPlace(schema) {
		if n, err := strconv.Atoi(s.Limits().MinItems); err == nil {
			least = max(least, min(n, mostList))
		}
		if n, err := strconv.Atoi(s.Limits().MaxItems); err == nil && (most < 0 || n < most) {
			most = n
		}
		if s.Items().IsObject() && !items.Exists() {
			items = s.Items()
		}
	}
	wanted := map[string]int{"empty": 0, "one": 1, "max": fullList}[p.shape]
	if p.shape == "max" {
		if most >= 0 {
			wanted = most
		}
		if n, ok := pageSize(r); ok {
			wanted = n
		}
	}
	if wanted = max(wanted, least); most >= 0 {
		wanted = min(wanted, most)
	}
	made := tree.Array(list.Items[:min(len(list.Items), wanted)]...)
	made.Items = made.Items[:len(made.Items):len(made.Items)]
	left := 4 * mostSteps
	for i := len(made.Items); i < min(wanted, mostList); i++ {
		var item *tree.Node
		if items.Exists() {
			item = sampling.Value(items, sampling.Options{Seed: p.seed + "item " + strconv.Itoa(i), NoExamples: true, Steps: &left})
		}
		if left == 0 {
			item = nil // it is not whole
		}
		if item == nil && len(list.Items) > 0 {
			item = list.Items[i%len(list.Items)]
		}
		if item == nil {
			break
		}
		made.Items = append(made.Items, item)
	}
	return made
}

// pageSize returns the length that a request asks for.
func pageSize(r validate.Request) (int, bool) {
	query, _ := url.ParseQuery(r.Query) // what can be read
	for _, name := range pageSizes {
		if n, err := strconv.Atoi(query.Get(name)); err == nil && n >= 0 {
			return min(n, mostList), true
		}
	}
	return 0, false
}
