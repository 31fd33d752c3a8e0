package spectest

import (
	"slices"
	"strings"
)

// route is the path of an operation, as the document has it.
type route struct {
	id, method string
	segments   []segment
}

// segment is a stretch of a path between slashes: literal texts around
// parameters. A segment without a parameter has one literal.
type segment []string

// newRoute splits a path into segments.
func newRoute(id, method, path string) route {
	r := route{id: id, method: method}
	for _, s := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		var literals segment
		for {
			before, rest, found := strings.Cut(s, "{")
			literals = append(literals, before)
			if !found {
				break
			}
			if _, s, found = strings.Cut(rest, "}"); !found {
				break
			}
		}
		r.segments = append(r.segments, literals)
	}
	return r
}

// Match lists the ids of the operations that a method and a concrete path can
// mean; more than one where variants share a path. The path is relative to the
// server and begins with a slash. As OpenAPI demands, a concrete path comes
// before a templated one.
func (c *Contract) Match(method, path string) []string {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	var best []route
	for _, r := range c.routes {
		if r.method != strings.ToUpper(method) || !r.matches(parts) {
			continue
		}
		order := 1
		if len(best) > 0 {
			order = r.compare(best[0])
		}
		switch {
		case order > 0:
			best = []route{r}
		case order == 0:
			best = append(best, r)
		}
	}
	var ids []string
	for _, r := range best {
		ids = append(ids, r.id)
	}
	return ids
}

func (r route) matches(parts []string) bool {
	if len(parts) != len(r.segments) {
		return false
	}
	for i, s := range r.segments {
		if !s.matches(parts[i]) {
			return false
		}
	}
	return true
}

// matches reports whether a text fits: each parameter takes at least one byte.
func (s segment) matches(text string) bool {
	if len(s) == 1 {
		return text == s[0]
	}
	rest, ok := strings.CutPrefix(text, s[0])
	for _, literal := range s[1 : len(s)-1] {
		if !ok || len(rest) < 1 {
			return false
		}
		_, rest, ok = strings.Cut(rest[1:], literal)
	}
	last := s[len(s)-1]
	return ok && len(rest) > len(last) && strings.HasSuffix(rest, last)
}

// compare says which of two routes is the more concrete, from the left.
func (r route) compare(o route) int {
	return slices.CompareFunc(r.segments, o.segments, func(a, b segment) int { return a.weight() - b.weight() })
}

// weight is large where a segment leaves little open.
func (s segment) weight() int {
	if len(s) == 1 {
		return 1 << 20
	}
	return len(strings.Join(s, ""))
}
