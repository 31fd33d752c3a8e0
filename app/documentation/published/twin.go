package published

import "heliograph/app/documentation/compare"

// twinNames lists the names by which an operation is found in other versions,
// the surest first.
func twinNames(e *Operation) [3]string {
	return compare.Identity{ID: e.ID, Method: e.Method, Path: e.Path, Slug: e.Slug, Callback: e.Callback}.Names()
}

func twins(endpoints []*Operation) map[string]*Operation {
	byName := map[string]*Operation{}
	for _, e := range endpoints {
		for _, name := range twinNames(e) {
			if byName[name] == nil {
				byName[name] = e
			}
		}
	}
	return byName
}
