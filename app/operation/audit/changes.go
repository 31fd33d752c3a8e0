package audit

import "reflect"

// Changes returns the details of an entry about a change: the fields that differ,
// with their values before and after it. The caller may add further details.
func Changes(before, after map[string]any) map[string]any {
	was, is := map[string]any{}, map[string]any{}
	for name, value := range after {
		if old, had := before[name]; !had || !reflect.DeepEqual(old, value) {
			was[name], is[name] = old, value
		}
	}
	return map[string]any{"before": was, "after": is}
}
