package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"heliograph/app/lists"
	"heliograph/app/web/listing"
	view "heliograph/views/operation/audit"
)

// wholeValue shows all characters of a value.
const wholeValue = 1 << 20

// changes returns the details of an entry by name, the changes before the other
// facts. Values are cut to a number of characters.
func changes(details json.RawMessage, longest int) []view.Change {
	var facts map[string]any
	if json.Unmarshal(details, &facts) != nil {
		return nil
	}
	var lines []view.Change
	before, _ := facts["before"].(map[string]any)
	after, isChange := facts["after"].(map[string]any)
	if isChange {
		delete(facts, "before")
		delete(facts, "after")
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if was, had := before[name]; had && reflect.DeepEqual(was, after[name]) {
			continue
		}
		lines = append(lines, view.Change{Name: listing.Words(name), Before: listing.Clip(show(before[name]), longest), After: listing.Clip(show(after[name]), longest), Changed: true})
	}
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		lines = append(lines, view.Change{Name: listing.Words(name), After: listing.Clip(show(facts[name]), longest)})
	}
	return lines
}

func show(value any) string {
	var text string
	switch v := value.(type) {
	case nil:
		text = "nothing"
	case string:
		text = v
	case []any:
		parts := lists.Map(v, show)
		text = strings.Join(parts, ", ")
	case map[string]any:
		encoded, err := json.Marshal(v)
		if err != nil {
			return ""
		}
		text = string(encoded)
	default:
		text = fmt.Sprint(v)
	}
	return cmp.Or(text, "empty")
}
