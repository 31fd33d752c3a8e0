package compare

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
)

// Changes is [Documents] for callers who need only what differs. It leaves out
// operations that neither differ nor refer to anything that differs, and is much
// faster where most are like that.
func Changes(before, after *openapi.Assembly) *Report {
	r := newReporter(before, after)
	r.same = newSame(before, after)
	return r.compare(before, after)
}

// same knows which components of two documents differ, or refer to some that do.
// Components are named as references to them begin: #/components/schemas/Pet.
type same struct {
	whole    bool            // whether operations mean the same but for their components
	differs  map[string]bool // components
	referred map[string]bool // components that something refers to; nil where that is not known
}

// apart are the members of a document that change no operation when they differ.
var apart = []string{"openapi", "info", "servers", "tags", "externalDocs", "paths", "webhooks", "components"}

func newSame(before, after *openapi.Assembly) *same {
	s := &same{whole: sameTree(before.Root.Without(apart...), after.Root.Without(apart...)), differs: map[string]bool{}, referred: map[string]bool{}}
	users := map[string][]string{} // components by one that they refer to
	for _, side := range [][2]*tree.Node{{before.Root, after.Root}, {after.Root, before.Root}} {
		for _, kind := range side[0].Entries("components") {
			others := side[1].Get("components").Get(kind.Key)
			for _, m := range kind.Value.Members {
				name := "#/components/" + tree.Escape(kind.Key) + "/" + tree.Escape(m.Key)
				equal := sameTree(m.Value, others.Get(m.Key))
				refs, known := s.references(m.Value)
				s.differs[name] = s.differs[name] || !known || !equal
				s.whole = s.whole && (equal || kind.Key != "securitySchemes")
				for _, ref := range refs {
					users[ref] = append(users[ref], name)
				}
			}
		}
	}
	var mark func(name string)
	mark = func(name string) {
		for _, user := range users[name] {
			if !s.differs[user] {
				s.differs[user] = true
				mark(user)
			}
		}
	}
	for name, differs := range s.differs {
		if differs {
			mark(name)
		}
	}
	return s
}

// holds reports whether both documents have an operation and it is the same.
func (s *same) holds(c couple) bool {
	if c.before == nil || c.after == nil || !sameTree(c.before.Node, c.after.Node) {
		for _, only := range []*subject{c.before, c.after} {
			if only != nil {
				_, _ = s.references(only.Node) // for isAlone
			}
		}
		return false
	}
	refs, known := s.references(c.after.Node)
	b, a := c.before, c.after
	return s.whole && known && !slices.ContainsFunc(refs, func(ref string) bool { return s.differs[ref] }) && b.callback == a.callback &&
		[...]string{b.ID, b.Slug, b.Name, b.Category, b.Method, b.Path, b.Purpose, b.Route} == [...]string{a.ID, a.Slug, a.Name, a.Category, a.Method, a.Path, a.Purpose, a.Route}
}

// isAlone reports whether nothing refers to a schema.
func (s *same) isAlone(schema string) bool {
	return s.referred != nil && !s.referred["#/components/schemas/"+tree.Escape(schema)]
}

// references lists the components that a value refers to, directly. They are not
// known where it refers to something else, such as an anchor.
func (s *same) references(n *tree.Node) (refs []string, known bool) {
	known = true
	var visit func(n *tree.Node)
	visit = func(n *tree.Node) {
		for _, item := range n.Items {
			visit(item)
		}
		for _, m := range n.Members {
			if m.Value.Is(tree.KindString) && (m.Key == "$ref" || m.Key == "$dynamicRef" || m.Key == "$recursiveRef") {
				parts := strings.SplitN(m.Value.Text, "/", 5)
				if len(parts) < 4 || parts[0] != "#" || parts[1] != "components" || strings.Contains(m.Value.Text, "%") {
					known, s.referred = false, nil
					continue
				}
				ref := strings.Join(parts[:4], "/")
				if refs = append(refs, ref); s.referred != nil {
					s.referred[ref] = true
				}
			}
			visit(m.Value)
		}
	}
	if n != nil {
		visit(n)
	}
	return refs, known
}
