package published

import (
	"strings"
	"sync"

	"heliograph/app/documentation/openapi"
)

// SetServed sets the function that reports whether this installation answers a
// method and a documented path. Without it every operation counts as served.
// Call it before the first Refresh.
func (c *Catalogue) SetServed(serves func(method, path string) bool) { c.shelf.serves = serves }

// Served reports whether an operation of the version can be called. An endpoint
// of another host counts as served. A callback is served if any endpoint of the
// version is.
func (v *Version) Served(op *Operation) bool { return !v.unserved()[op] }

// ServedPath returns the path at which this installation answers an operation, and "" for
// an operation of another host.
func (v *Version) ServedPath(op *Operation) string {
	servers := v.ServersOf(op)
	if len(servers) == 0 {
		return ""
	}
	base, own := openapi.OwnPath(servers[0].URL)
	if !own {
		return ""
	}
	return strings.TrimSuffix(base, "/") + op.Path
}

// ServedEndpoints counts the endpoints that can be called.
func (v *Version) ServedEndpoints() int {
	n := 0
	for _, op := range v.Endpoints() {
		if v.Served(op) {
			n++
		}
	}
	return n
}

// newUnserved returns a function that lists the operations that nothing serves
// yet, made at its first use.
func (v *Version) newUnserved() func() map[*Operation]bool {
	return sync.OnceValue(func() map[*Operation]bool {
		missing := map[*Operation]bool{}
		if v.shelf.serves == nil {
			return missing
		}
		for _, op := range v.Endpoints() {
			if path := v.ServedPath(op); path != "" && !v.shelf.serves(op.Method, path) {
				missing[op] = true
			}
		}
		if len(missing) == v.endpoints && v.endpoints > 0 {
			for _, op := range v.operations[v.endpoints:] {
				missing[op] = true
			}
		}
		return missing
	})
}
