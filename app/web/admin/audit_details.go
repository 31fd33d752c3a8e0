package admin

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	view "heliograph/views/admin"
)

// longestValue is how much of a value the list shows, in characters; the
// export has all of it.
const longestValue = 120

// changes puts the details of an entry into lines: what changed, then the
// other facts, each by name.
func changes(details json.RawMessage) []view.Change {
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
		lines = append(lines, view.Change{Name: words(name), Before: show(before[name]), After: show(after[name]), Changed: true})
	}
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		lines = append(lines, view.Change{Name: words(name), After: show(facts[name])})
	}
	return lines
}

// words makes a name of a field readable: session_version becomes "session
// version".
func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

func show(value any) string {
	var text string
	switch v := value.(type) {
	case nil:
		text = "nothing"
	case string:
		text = v
	case []any:
		parts := make([]string, len(v))
		for i, part := range v {
			parts[i] = show(part)
		}
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
	if text == "" {
		return "empty"
	}
	return clip(text, longestValue)
}
