package validate

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
)

// types is a set of JSON types.
type types uint8

const (
	typeNull types = 1 << iota
	typeBoolean
	typeNumber
	typeString
	typeArray
	typeObject
)

var typeWords = map[string]types{
	"null": typeNull, "boolean": typeBoolean, "number": typeNumber, "integer": typeNumber,
	"string": typeString, "array": typeArray, "object": typeObject,
}

// maxShape is how deep text is given types: a form with objects of lists.
const maxShape = 4

// shape says which types the texts of a parameter or a form become.
type shape struct {
	types      types    // none: the schema leaves the type open
	test       *checker // decides between several types, nil where there is one
	properties map[string]*shape
	rest       *shape // of members beyond properties, nil: text
	prefix     []*shape
	items      *shape
}

// maxShapes is how many schemas the shape of one parameter or form has.
const maxShapes = 2_000

// shaper makes the shape of one parameter or form.
type shaper struct {
	*side
	left int
}

// shape returns the shape of a schema that was prepared and can be checked.
func (s *side) shape(n *node) *shape {
	return (&shaper{s, maxShapes}).shape(n, 0)
}

func (s *shaper) shape(n *node, depth int) *shape {
	sh := &shape{types: n.types()}
	if s.left--; s.left < 0 || depth > maxShape {
		return sh
	}
	if scalars := sh.types &^ (typeArray | typeObject); scalars&(scalars-1) != 0 {
		sh.test, _ = s.checker(n.pointer)
	}
	s.gather(sh, n, gathering{depth + 1, map[*node]bool{}})
	return sh
}

// gathering is how deep a shape is, and the schemas that it was made of.
type gathering struct {
	depth int
	seen  map[*node]bool
}

// gather collects the members and items of a schema and of what applies to the
// same value. The first of a name counts.
func (s *shaper) gather(sh *shape, n *node, g gathering) {
	if g.seen[n] {
		return
	}
	g.seen[n] = true
	for _, name := range slices.Sorted(maps.Keys(n.properties)) {
		if sh.properties[name] == nil {
			if sh.properties == nil {
				sh.properties = map[string]*shape{}
			}
			sh.properties[name] = s.shape(n.properties[name], g.depth)
		}
	}
	if sh.rest == nil && n.additional != nil && n.additional.object != nil {
		sh.rest = s.shape(n.additional, g.depth)
	}
	if sh.items == nil && n.items != nil {
		sh.items = s.shape(n.items, g.depth)
	}
	for i := len(sh.prefix); i < len(n.prefix); i++ {
		sh.prefix = append(sh.prefix, s.shape(n.prefix[i], g.depth))
	}
	for _, to := range n.all {
		s.gather(sh, to, g)
	}
	for _, branches := range n.choices {
		for _, to := range branches {
			s.gather(sh, to, g)
		}
	}
}

// types returns the types that a schema allows, none where it leaves them open.
func (n *node) types() types {
	if !n.isTyped {
		n.isTyped = true
		n.allowed = n.findTypes()
	}
	return n.allowed
}

func (n *node) findTypes() (set types) {
	if n.object == nil {
		return 0
	}
	set = n.ownTypes()
	narrow := func(to types) {
		if set == 0 {
			set = to
		} else if set&to != 0 {
			set &= to
		}
	}
	for _, to := range n.all {
		narrow(to.types())
	}
	for _, branches := range n.choices {
		var union types
		for _, to := range branches {
			union |= to.types()
		}
		narrow(union)
	}
	if set == 0 && len(n.properties) > 0 {
		set = typeObject
	}
	if set == 0 && n.items != nil {
		set = typeArray
	}
	return set
}

// ownTypes reads type, and const or enum where there is none.
func (n *node) ownTypes() (set types) {
	switch t := n.object["type"].(type) {
	case string:
		return typeWords[t]
	case []any:
		for _, word := range t {
			name, _ := word.(string)
			set |= typeWords[name]
		}
		return set
	}
	values, _ := n.object["enum"].([]any)
	if value, has := n.object["const"]; has {
		values = []any{value}
	}
	for _, v := range values {
		set |= typeOf(v)
	}
	return set
}

func typeOf(value any) types {
	switch value.(type) {
	case nil:
		return typeNull
	case bool:
		return typeBoolean
	case json.Number:
		return typeNumber
	case string:
		return typeString
	case []any:
		return typeArray
	}
	return typeObject
}

// numberLiteral is a number of RFC 8259.
var numberLiteral = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// isNumber reports whether a text is a JSON number that a 64-bit float holds.
// Exact arithmetic on larger ones could take minutes.
func isNumber(text string) bool {
	return len(text) <= 100 && numberLiteral.MatchString(text) && isInRange(text)
}

func isInRange(literal string) bool {
	f, err := strconv.ParseFloat(literal, 64)
	return len(literal) <= 100 && err == nil && !math.IsInf(f, 0) && (f != 0 || !hasDigits(literal))
}

// hasDigits reports whether the mantissa of a number is not zero.
func hasDigits(literal string) bool {
	for _, c := range literal {
		if c == 'e' || c == 'E' {
			return false
		}
		if c >= '1' && c <= '9' {
			return true
		}
	}
	return false
}

// scalar gives a text the type that its schema allows. Where several are
// possible the first that makes the value valid counts: number, boolean, null,
// text.
func (sh *shape) scalar(text string) any {
	if sh == nil {
		return text
	}
	var candidates []any
	if sh.types&typeNumber != 0 && isNumber(text) {
		candidates = append(candidates, json.Number(text))
	}
	if sh.types&typeBoolean != 0 && (text == "true" || text == "false") {
		candidates = append(candidates, text == "true")
	}
	if sh.types&typeNull != 0 && (text == "null" || text == "") {
		candidates = append(candidates, nil)
	}
	if sh.types&typeString != 0 || len(candidates) == 0 {
		candidates = append(candidates, text)
	}
	if len(candidates) > 1 && sh.test != nil && sh.test.schema != nil {
		for _, c := range candidates {
			if sh.test.schema.Validate(c) == nil {
				return c
			}
		}
	}
	return candidates[0]
}

// is reports whether only arrays, or only objects, are allowed.
func (sh *shape) is(t types) bool { return sh != nil && sh.types&^typeNull == t }

// isList reports whether so many texts become an array.
func (sh *shape) isList(count int) bool {
	return sh != nil && (sh.is(typeArray) || sh.types&typeArray != 0 && count > 1)
}

// isMap reports whether a text becomes an object.
func (sh *shape) isMap() bool { return sh.is(typeObject) || sh.is(typeObject|typeArray) }

// item returns the shape of an item of an array.
func (sh *shape) item(i int) *shape {
	if sh == nil {
		return nil
	}
	if i < len(sh.prefix) {
		return sh.prefix[i]
	}
	return sh.items
}

// member returns the shape of a member of an object.
func (sh *shape) member(name string) *shape {
	if sh == nil {
		return nil
	}
	if p := sh.properties[name]; p != nil {
		return p
	}
	return sh.rest
}

// list gives texts the types of the items of an array.
func (sh *shape) list(texts []string) any {
	items := make([]any, len(texts))
	for i, text := range texts {
		items[i] = sh.item(i).scalar(text)
	}
	return items
}
