package validate

import (
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// discriminator is a Discriminator Object with the variants of its schema.
type discriminator struct {
	property string
	mapping  map[string]string // pointers of schemas by the value of the property
	choices  [][]*node         // of anyOf and of oneOf
}

// newDiscriminator returns the discriminator of a schema, nil where it has none.
func newDiscriminator(n *node) *discriminator {
	object, _ := n.object["discriminator"].(map[string]any)
	property, ok := object["propertyName"].(string)
	if !ok || len(n.choices) == 0 {
		return nil
	}
	d := &discriminator{property: property, mapping: map[string]string{}, choices: n.choices}
	mapping, _ := object["mapping"].(map[string]any)
	for value, target := range mapping {
		ref, _ := target.(string)
		if at, ok := strings.CutPrefix(ref, "#"); ok {
			d.mapping[value] = tree.Unescape(at)
		} else {
			d.mapping[value] = named(ref)
		}
	}
	return d
}

func named(schema string) string { return "/components/schemas/" + tree.Escape(schema) }

// variant returns which of so many variants a value names, -1 where it names
// none of them.
func (d *discriminator) variant(value any, count int) int {
	object, _ := value.(map[string]any)
	word, ok := object[d.property].(string)
	if !ok {
		return -1
	}
	at, ok := d.mapping[word]
	if !ok {
		at = named(word)
	}
	for _, branches := range d.choices {
		if len(branches) != count {
			continue
		}
		for i, branch := range branches {
			if branch.pointer == at || branch.ref != nil && branch.ref.pointer == at {
				return i
			}
		}
	}
	return -1
}

// valueAt returns the value at a place within a value, nil where there is none.
func valueAt(value any, tokens []string) any {
	for _, token := range tokens {
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}
