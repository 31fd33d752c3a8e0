package published

import (
	"strings"
	"sync"

	"heliograph/app/documentation/openapi"
)

// SetServed sets the function that reports whether this installation answers a
// method and a documented path. Without it every operation counts as served.
// Call it before the first Refresh.
func (d *Documentation) SetServed(serves func(method, path string) bool) { d.shelf.serves = serves }

// Served reports whether an operation of the version can be called. An endpoint
// of another host counts as served. A callback is served if any endpoint of the
// version is.
func (x *index) Served(op *Operation) bool { return !x.unserved()[op] }

// ServedPath returns the path at which this installation answers an operation, and "" for
// an operation of another host.
func (x *index) ServedPath(op *Operation) string {
	servers := x.ServersOf(op)
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
func (x *index) ServedEndpoints() int {
	n := 0
	for _, op := range x.Endpoints() {
		if x.Served(op) {
			n++
		}
	}
	return n
}

// newUnserved returns a function that lists the operations that nothing serves
// yet, made at its first use.
func (x *index) newUnserved() func() map[*Operation]bool {
	return sync.OnceValue(func() map[*Operation]bool {
		missing := map[*Operation]bool{}
		if x.serves == nil {
			return missing
		}
		for _, op := range x.Endpoints() {
			if path := x.ServedPath(op); path != "" && !x.serves(op.Method, path) {
				missing[op] = true
			}
		}
		if len(missing) == x.endpoints && x.endpoints > 0 {
			for _, op := range x.operations[x.endpoints:] {
				missing[op] = true
			}
		}
		return missing
	})
}
