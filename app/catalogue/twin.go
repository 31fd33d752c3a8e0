package catalogue

import "regexp"

var (
	parameter = regexp.MustCompile(`\{[^}]*\}`)
	release   = regexp.MustCompile(`^/v\d+(\.\d+)*/`)
)

// twinNames lists the names by which an operation is found in other versions,
// the surest first. The names of parameters and a version in the path are left
// out.
func twinNames(e *Operation) [3]string {
	if e.Callback {
		return [3]string{"callback id " + e.ID, "callback " + e.Method + " " + e.Path, "callback slug " + e.Slug}
	}
	path := parameter.ReplaceAllString(release.ReplaceAllString(e.Path, "/"), "{}")
	return [3]string{"id " + e.ID, e.Method + " " + path, "slug " + e.Slug}
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
