package spectest

import (
	"slices"
	"strings"

	"heliograph/app/lists"
)

// route is the path of an operation, as the document has it.
type route struct {
	id, method string
	segments   []segment
}

// segment is a part of a path between slashes: literal texts around the named
// parameters. A segment without a parameter has one literal.
type segment struct{ literals, names []string }

// newRoute splits a path into segments.
func newRoute(id, method, path string) route {
	r := route{id: id, method: method}
	for _, s := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		var one segment
		for {
			before, rest, found := strings.Cut(s, "{")
			one.literals = append(one.literals, before)
			if !found {
				break
			}
			var name string
			if name, s, found = strings.Cut(rest, "}"); !found {
				break
			}
			one.names = append(one.names, name)
		}
		r.segments = append(r.segments, one)
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
	return lists.Map(best, func(r route) string { return r.id })
}

// PathValues returns the values of the parameters in a concrete path of an
// operation, percent-encoded as they are sent.
func (c *Contract) PathValues(operationID, path string) map[string]string {
	values := map[string]string{}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for _, r := range c.routes {
		if r.id != operationID || len(parts) != len(r.segments) {
			continue
		}
		for i, s := range r.segments {
			found, _ := s.values(parts[i])
			for j, value := range found {
				values[s.names[j]] = value
			}
		}
	}
	return values
}

func (r route) matches(parts []string) bool {
	if len(parts) != len(r.segments) {
		return false
	}
	for i, s := range r.segments {
		if _, ok := s.values(parts[i]); !ok {
			return false
		}
	}
	return true
}

// values returns the values of the parameters in a text, and whether the text
// fits: each parameter takes at least one byte.
func (s segment) values(text string) (list []string, ok bool) {
	if len(s.literals) == 1 {
		return nil, text == s.literals[0]
	}
	rest, ok := strings.CutPrefix(text, s.literals[0])
	for _, literal := range s.literals[1 : len(s.literals)-1] {
		if !ok || len(rest) < 1 {
			return nil, false
		}
		first := rest[:1]
		var more string
		more, rest, ok = strings.Cut(rest[1:], literal)
		list = append(list, first+more)
	}
	last := s.literals[len(s.literals)-1]
	if !ok || len(rest) <= len(last) || !strings.HasSuffix(rest, last) {
		return nil, false
	}
	return append(list, strings.TrimSuffix(rest, last)), true
}

// compare says which of two routes is the more concrete, from the left.
func (r route) compare(o route) int {
	return slices.CompareFunc(r.segments, o.segments, func(a, b segment) int { return a.weight() - b.weight() })
}

// weight is large where a segment leaves little open.
func (s segment) weight() int {
	if len(s.literals) == 1 {
		return 1 << 20
	}
	return len(strings.Join(s.literals, ""))
}
