package compare

import (
	"iter"
	"regexp"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/lists"
)

var (
	parameterName = regexp.MustCompile(`\{[^}]*\}`)
	release       = regexp.MustCompile(`^/v\d+(\.\d+)*/`)
)

// Identity is how an operation is found in other versions.
type Identity struct {
	ID, Method, Path, Slug string
	Callback               bool
}

// Names lists the names of an operation, the surest first: by id, by method and
// path, and by slug. The names of parameters and a version in the path are left
// out.
func (i Identity) Names() [3]string {
	if i.Callback {
		return [3]string{"callback id " + i.ID, "callback " + i.Method + " " + i.Path, "callback slug " + i.Slug}
	}
	path := parameterName.ReplaceAllString(release.ReplaceAllString(i.Path, "/"), "{}")
	return [3]string{"id " + i.ID, i.Method + " " + path, "slug " + i.Slug}
}

// subject is an operation of one of the documents.
type subject struct {
	openapi.Placed
	callback bool
}

func (s *subject) names() [3]string {
	return Identity{s.ID, s.Method, s.Path, s.Slug, s.callback}.Names()
}

// key identifies the operation in fingerprints.
func (s *subject) key() string { return s.names()[1] }

func (s *subject) view() *Subject {
	return &Subject{Slug: s.Slug, Name: s.Name, Category: s.Category, Method: s.Method, Path: s.Path}
}

func subjects(a *openapi.Assembly) []*subject {
	list := lists.Map(a.Operations, func(p openapi.Placed) *subject { return &subject{p, false} })
	for _, p := range a.Callbacks {
		list = append(list, &subject{p, true})
	}
	return list
}

// couple is an operation with the one it corresponds to. One of them is nil if
// only one version has it.
type couple struct{ before, after *subject }

// pair matches operations, each at most once.
func pair(before, after []*subject) []couple {
	partner := map[*subject]*subject{}
	taken := map[*subject]bool{}
	for level := range 3 {
		byName := map[string]*subject{}
		for _, b := range before {
			if name := b.names()[level]; !taken[b] && byName[name] == nil {
				byName[name] = b
			}
		}
		for _, a := range after {
			if b := byName[a.names()[level]]; partner[a] == nil && b != nil && !taken[b] {
				partner[a], taken[b] = b, true
			}
		}
	}
	list := lists.Map(after, func(a *subject) couple { return couple{partner[a], a} })
	for _, b := range before {
		if !taken[b] {
			list = append(list, couple{b, nil})
		}
	}
	return list
}

// matched pairs values by their keys and yields their indexes, -1 where there is no partner:
// first all values of after, then the values of before without one.
func matched[T any](before, after []T, key func(T) string) iter.Seq2[int, int] {
	return func(yield func(before, after int) bool) {
		old := map[string]int{}
		for i, b := range before {
			old[key(b)] = i
		}
		for i, a := range after {
			b, ok := old[key(a)]
			if !ok {
				b = -1
			}
			delete(old, key(a))
			if !yield(b, i) {
				return
			}
		}
		for i, b := range before {
			if _, ok := old[key(b)]; ok && !yield(i, -1) {
				return
			}
		}
	}
}

// nameOf is the key of values that have a name.
func nameOf[T any](n graph.Named[T]) string { return n.Name }
