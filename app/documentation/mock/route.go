package mock

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

// router finds the operations of a path. Each level of the tree is a segment.
type router struct {
	literals  map[string]*router
	templates []*template // the most concrete first
	methods   map[string][]*operation
}

// template is a segment with parameters.
type template struct {
	text     string
	literals []string // around the parameters
	names    []string
	next     *router
}

// segmentsOf splits a path at its slashes.
func segmentsOf(path string) []string {
	return strings.Split(strings.TrimPrefix(path, "/"), "/")
}

func (r *router) add(op *operation) {
	at := r
	for _, segment := range segmentsOf(op.placed.Route) {
		at = at.child(segment)
	}
	if at.methods == nil {
		at.methods = map[string][]*operation{}
	}
	at.methods[op.placed.Method] = append(at.methods[op.placed.Method], op)
}

func (r *router) child(segment string) *router {
	if !strings.Contains(segment, "{") {
		if r.literals == nil {
			r.literals = map[string]*router{}
		}
		if r.literals[segment] == nil {
			r.literals[segment] = &router{}
		}
		return r.literals[segment]
	}
	for _, t := range r.templates {
		if t.text == segment {
			return t.next
		}
	}
	t := newTemplate(segment)
	r.templates = append(r.templates, t)
	slices.SortStableFunc(r.templates, func(a, b *template) int { return cmp.Compare(b.weight(), a.weight()) })
	return t.next
}

// newTemplate splits a segment at its parameters.
func newTemplate(segment string) *template {
	t := &template{text: segment, next: &router{}}
	rest := segment
	for {
		before, more, found := strings.Cut(rest, "{")
		t.literals = append(t.literals, before)
		if !found {
			return t
		}
		var name string
		if name, rest, found = strings.Cut(more, "}"); !found {
			return t
		}
		t.names = append(t.names, name)
	}
}

// weight is large where a segment leaves little open.
func (t *template) weight() int { return len(strings.Join(t.literals, "")) }

// values returns the values of the parameters in a text, and whether the text
// fits: each parameter takes at least one byte.
func (t *template) values(text string) (list []string, ok bool) {
	if len(t.names) == 0 {
		return nil, false
	}
	rest, ok := strings.CutPrefix(text, t.literals[0])
	for _, literal := range t.literals[1 : len(t.literals)-1] {
		if !ok || rest == "" {
			return nil, false
		}
		first := rest[:1]
		var more string
		more, rest, ok = strings.Cut(rest[1:], literal)
		list = append(list, first+more)
	}
	last := t.literals[len(t.literals)-1]
	if !ok || len(rest) <= len(last) || !strings.HasSuffix(rest, last) {
		return nil, false
	}
	return append(list, strings.TrimSuffix(rest, last)), true
}

// match is the result of a search for a path.
type match struct {
	operations []*operation      // for the method; several share a path as variants
	values     map[string]string // of path parameters, percent-encoded
	allowed    []string          // methods of all paths that fit
}

// find returns the operations of an escaped path. Concrete segments come before
// templates, and a path that has the method before one that lacks it.
func (r *router) find(method, path string) match {
	m := match{}
	walk := &search{method: method, match: &m, segments: segmentsOf(path)}
	if !walk.from(r, 0) && len(m.allowed) == 0 {
		walk.segments = withoutSlash(walk.segments)
		walk.from(r, 0)
	}
	slices.Sort(m.allowed)
	m.allowed = slices.Compact(m.allowed)
	return m
}

// withoutSlash removes the empty segment after a slash at the end, or adds it.
func withoutSlash(segments []string) []string {
	if last := len(segments) - 1; last > 0 && segments[last] == "" {
		return segments[:last]
	}
	return append(slices.Clone(segments), "")
}

type search struct {
	method   string
	segments []string
	names    []string // of the parameters on the way, with their values
	values   []string
	match    *match
}

// from searches below a node. It visits each node at most once for a path, so
// it costs as much as the whole document at worst.
func (s *search) from(r *router, level int) bool {
	if level == len(s.segments) {
		return s.arrive(r)
	}
	raw := s.segments[level]
	plain, err := url.PathUnescape(raw)
	if err != nil {
		plain = raw
	}
	if next := r.literals[plain]; next != nil && s.from(next, level+1) {
		return true
	}
	for _, t := range r.templates {
		values, ok := t.values(raw)
		if !ok && plain != raw && !strings.Contains(plain, "/") {
			// Clients may encode what need not be: /upload%3A12 is /upload:12.
			if values, ok = t.values(plain); ok {
				for i, value := range values {
					values[i] = url.PathEscape(value)
				}
			}
		}
		if !ok {
			continue
		}
		before := len(s.names)
		s.names, s.values = append(s.names, t.names...), append(s.values, values...)
		if s.from(t.next, level+1) {
			return true
		}
		s.names, s.values = s.names[:before], s.values[:before]
	}
	return false
}

// arrive takes the operations of a path that fits.
func (s *search) arrive(r *router) bool {
	for method := range r.methods {
		s.match.allowed = append(s.match.allowed, method)
	}
	if s.match.operations = r.methods[s.method]; s.match.operations == nil {
		return false
	}
	if len(s.names) > 0 {
		s.match.values = make(map[string]string, len(s.names))
		for i, name := range s.names {
			s.match.values[name] = s.values[i]
		}
	}
	return true
}
