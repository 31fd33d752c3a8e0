package openapi

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
)

// clear removes members that only [Read] writes from a part, and an empty list
// of parameters from an operation.
func (s *source) clear(n *tree.Node, at place) {
	switch at.part {
	case partPathItem:
		s.clearServers(n, at.pointer)
	case partOperation:
		s.clearServers(n, at.pointer)
		s.clearKey(n, at.pointer, pathKey)
		if p := n.Get("parameters"); p.Is(tree.KindArray) && len(p.Items) == 0 {
			n.Remove("parameters")
		}
	case partParameter:
		s.clearKey(n, at.pointer, inheritedKey)
	}
}

// dropAdded leaves out the servers that an export added.
func (s *source) dropAdded() {
	list := s.root.Get("servers")
	if !list.Is(tree.KindArray) {
		return
	}
	list.Items = slices.DeleteFunc(list.Items, func(server *tree.Node) bool { return server.True(AddedKey) })
	if len(list.Items) == 0 {
		s.root.Remove("servers")
	}
}

func (s *source) clearServers(n *tree.Node, pointer string) {
	for _, server := range n.List("servers") {
		s.clearKey(server, pointer+"/servers", inheritedKey)
	}
}

func (s *source) clearKey(n *tree.Node, pointer, key string) {
	if n.Get(key) != nil {
		n.Remove(key)
		s.warn(pointer, "Left out: the member %s is reserved.", key)
	}
}

// identify makes the operationIds of a document unique. An operation that Path
// Items share keeps its id.
func (s *source) identify() {
	s.ids = map[string]bool{}
	for _, key := range []string{"paths", "webhooks"} {
		for _, m := range s.root.Entries(key) {
			if key == "paths" && !strings.HasPrefix(m.Key, "/") {
				continue
			}
			if shared, _ := sharedItem(s.root, m.Value); shared != nil || !m.Value.Is(tree.KindObject) {
				continue
			}
			pointer := "/" + key + "/" + tree.Escape(m.Key) + "/"
			for _, o := range m.Value.Members {
				if slices.Contains(methods, o.Key) && o.Value.Is(tree.KindObject) {
					s.identifyOperation(o.Value, pointer+o.Key)
				}
			}
		}
	}
}

func (s *source) identifyOperation(n *tree.Node, pointer string) {
	for _, one := range operations(n, pointer) {
		id := one.node.Str("operationId")
		if id == "" {
			continue
		}
		if free := naming.Unique(s.ids, id, ""); free != id {
			s.warn(one.pointer, "The operationId %.80q is taken by an earlier operation; this one is %.80q.", id, free)
			one.node.Set("operationId", tree.String(free))
		}
	}
}

// defaultID returns the id of an operation without operationId: its method and
// path, getPetsPetId, or the name of its webhook.
func defaultID(method, route string) string {
	if !strings.HasPrefix(route, "/") {
		return route
	}
	id := strings.ToLower(method)
	for _, word := range naming.Words(route) {
		id += naming.Capital(word)
	}
	return id
}
