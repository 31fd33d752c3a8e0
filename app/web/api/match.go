package api

import (
	"slices"
	"strings"
)

// match finds the operation for a method and a path relative to the surface.
// A trailing slash is tolerated, and a literal segment is preferred to a
// parameter. When the path is known under other methods only, allowed lists
// them.
func match(table []operation, method, path string) (found *operation, params map[string]string, allowed []string) {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	literals := -1
	for i := range table {
		p, n, ok := fit(table[i].pattern, segments)
		switch {
		case !ok:
		case table[i].method != method:
			allowed = append(allowed, table[i].method)
		case n > literals:
			found, params, literals = &table[i], p, n
		}
	}
	slices.Sort(allowed)
	return found, params, slices.Compact(allowed)
}

// fit matches a pattern such as "/{phone_number_id}/messages" and counts its
// literal segments.
func fit(pattern string, segments []string) (params map[string]string, literals int, ok bool) {
	rest := strings.TrimPrefix(pattern, "/")
	params = map[string]string{}
	for i, segment := range segments {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		if name, isParam := strings.CutPrefix(part, "{"); isParam && segment != "" {
			params[strings.TrimSuffix(name, "}")] = segment
		} else if part == segment {
			literals++
		} else {
			return nil, 0, false
		}
		if i == len(segments)-1 {
			return params, literals, rest == "" && part != ""
		}
		if rest == "" {
			return nil, 0, false
		}
	}
	return nil, 0, false
}
