package catalogue

import (
	"regexp"

	"heliograph/app/spec"
)

// Twin returns the endpoint or callback of the version that is the same as one
// of another version, nil when there is none. Endpoints are the same by operationId, else
// by method and path, else by slug. The endpoint may be nil.
func (v *Version) Twin(e *spec.Endpoint) *spec.Endpoint {
	if e == nil {
		return nil
	}
	for _, name := range twinNames(e) {
		if twin := v.twins[name]; twin != nil {
			return twin
		}
	}
	return nil
}

var (
	parameter = regexp.MustCompile(`\{[^}]*\}`)
	release   = regexp.MustCompile(`^/v\d+(\.\d+)*/`)
)

// twinNames are what an endpoint is known by in other versions, the surest
// first. Names of parameters and the version within a path do not count.
func twinNames(e *spec.Endpoint) [3]string {
	if e.Callback {
		return [3]string{"callback id " + e.ID, "callback " + e.Method + " " + e.Path, "callback slug " + e.Slug}
	}
	path := parameter.ReplaceAllString(release.ReplaceAllString(e.Path, "/"), "{}")
	return [3]string{"id " + e.ID, e.Method + " " + path, "slug " + e.Slug}
}

func twins(endpoints []*spec.Endpoint) map[string]*spec.Endpoint {
	byName := map[string]*spec.Endpoint{}
	for _, e := range endpoints {
		for _, name := range twinNames(e) {
			if byName[name] == nil {
				byName[name] = e
			}
		}
	}
	return byName
}
