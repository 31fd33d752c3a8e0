package mock

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// act is what an operation does to a resource.
type act int

const (
	actNone   act = iota
	actCreate     // POST to a collection
	actList       // GET of a collection
	actRead       // GET of a path that ends with an id
	actUpdate     // PUT, PATCH or POST to such a path
	actDelete     // DELETE of it
	actClear      // DELETE of a collection, by its query
)

// deed is what a request does to a resource.
type deed struct {
	act         act
	collection  string // path of the collection, with its values
	id          string // percent-decoded
	isCreatable bool   // the collection has a POST
}

// deedOf tells what a request does: an operation with a path that ends in a parameter
// is about one thing, every other one about a collection.
func (op *operation) deedOf(values map[string]string) deed {
	segments := segmentsOf(op.placed.Route)
	last := newTemplate(segments[len(segments)-1])
	isItem := len(last.names) == 1 && last.literals[0] == "" && last.literals[1] == ""
	d := deed{}
	if isItem {
		segments = segments[:len(segments)-1]
		d.id = tree.Unescape(values[last.names[0]])
	}
	route := "/" + strings.Join(segments, "/")
	d.isCreatable = slices.ContainsFunc(op.engine.operations, func(o *operation) bool {
		return o.placed.Method == http.MethodPost && o.placed.Route == route
	})
	d.collection = route
	for name, value := range values {
		d.collection = strings.ReplaceAll(d.collection, "{"+name+"}", value)
	}
	switch method := op.placed.Method; {
	case !isItem && method == http.MethodPost:
		d.act = actCreate
	case !isItem && method == http.MethodGet:
		d.act = actList
	case !isItem && method == http.MethodDelete:
		d.act = actClear
	case !isItem:
	case method == http.MethodGet:
		d.act = actRead
	case method == http.MethodDelete:
		d.act = actDelete
	default:
		d.act = actUpdate
	}
	return d
}

// idNames are the names of the member that identifies a thing, the most usual
// first. Others end with Id or _id.
var idNames = []string{"id", "uuid", "code", "name"}

// holderOf returns the object of a response that has the id of a thing, and the
// name of the id: the response itself, or an object within it. The object is nil
// where there is none.
func holderOf(n *tree.Node) (holder *tree.Node, name string) {
	if !n.Is(tree.KindObject) {
		return nil, ""
	}
	if name := idName(n); name != "" {
		return n, name
	}
	for _, m := range n.Members {
		if m.Value.Is(tree.KindObject) {
			if name := idName(m.Value); name != "" {
				return m.Value, name
			}
		}
	}
	return nil, ""
}

func idName(n *tree.Node) string {
	isID := func(v *tree.Node) bool { return v.Is(tree.KindString) || v.Is(tree.KindNumber) }
	if isID(n.Get(idNames[0])) {
		return idNames[0]
	}
	for _, m := range n.Members {
		if isID(m.Value) && (strings.HasSuffix(m.Key, "Id") || strings.HasSuffix(m.Key, "_id") || m.Key == "uuid") {
			return m.Key
		}
	}
	return ""
}

// freshID returns an id of the same kind as an example: digits stay digits, and
// letters letters.
func freshID(example *tree.Node) *tree.Node {
	made := []byte(example.Text)
	if example.Is(tree.KindNumber) {
		return tree.Number(strconv.FormatInt(1_000_000+rand.Int64N(1<<40), 10))
	}
	isHex := len(made) == 36 && strings.Count(example.Text, "-") == 4
	changed := 0
	for i := len(made) - 1; i >= 0 && changed < 16; i-- {
		switch c := made[i]; {
		case i == 0 && c >= '0' && c <= '9':
			continue // a number does not begin with zero
		case isHex && c != '-' && i != 14 && i != 19:
			made[i] = "0123456789abcdef"[rand.IntN(16)]
		case c >= '0' && c <= '9' && !isHex:
			made[i] = byte('0' + rand.IntN(10))
		case c >= 'a' && c <= 'z' && !isHex:
			made[i] = byte('a' + rand.IntN(26))
		case c >= 'A' && c <= 'Z' && !isHex:
			made[i] = byte('A' + rand.IntN(26))
		default:
			continue
		}
		changed++
	}
	if changed < 4 {
		return tree.String(fmt.Sprintf("%s-%d", made, rand.IntN(1_000_000)))
	}
	return tree.String(string(made))
}

// overlaid returns an object with the values that another one has for the same
// members. Objects within are overlaid too.
func overlaid(n, from *tree.Node) *tree.Node {
	if !n.Is(tree.KindObject) || !from.Is(tree.KindObject) {
		return n
	}
	made := tree.Object()
	for _, m := range n.Members {
		value := m.Value
		switch given := from.Get(m.Key); {
		case given == nil:
		case value.Is(tree.KindObject) && given.Is(tree.KindObject):
			value = overlaid(value, given)
		default:
			value = given
		}
		made.Append(m.Key, value)
	}
	return made
}

// merged returns an object with the members of two, the second one's where both
// have one.
func merged(a, b *tree.Node) *tree.Node {
	if !b.Is(tree.KindObject) {
		return a
	}
	if !a.Is(tree.KindObject) {
		return b
	}
	made := tree.Object(slices.Clone(a.Members)...)
	for _, m := range b.Members {
		made.Set(m.Key, m.Value)
	}
	return made
}

// replaced returns a value with another object in the place of one within it.
func replaced(n, old, with *tree.Node) *tree.Node {
	if n == old {
		return with
	}
	made := tree.Object(slices.Clone(n.Members)...)
	for i, m := range made.Members {
		if m.Value == old {
			made.Members[i].Value = with
		}
	}
	return made
}

// listOf returns the list of a response: the response itself, or its first member
// that is one.
func listOf(n *tree.Node) *tree.Node {
	if n.Is(tree.KindArray) {
		return n
	}
	if n.Is(tree.KindObject) {
		for _, m := range n.Members {
			if m.Value.Is(tree.KindArray) {
				return m.Value
			}
		}
	}
	return nil
}
