package audit

import "reflect"

// Changes are the details of an entry about something that was changed: the
// fields that differ, as they were and as they are. Further facts may be added.
func Changes(before, after map[string]any) map[string]any {
	was, is := map[string]any{}, map[string]any{}
	for name, value := range after {
		if old, had := before[name]; !had || !reflect.DeepEqual(old, value) {
			was[name], is[name] = old, value
		}
	}
	return map[string]any{"before": was, "after": is}
}
