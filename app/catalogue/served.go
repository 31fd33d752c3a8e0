package catalogue

import (
	"net/url"
	"strings"
	"sync"
)

// SetServed sets the function that reports whether this installation answers a
// method and a documented path. Without it every operation counts as served.
// Call it before the first Refresh.
func (c *Catalogue) SetServed(serves func(method, path string) bool) { c.shelf.serves = serves }

// Served reports whether an operation of the version can be called. An endpoint
// of another host counts as served. A callback is served if any endpoint of the
// version is.
func (v *Version) Served(op *Operation) bool { return !v.unserved()[op] }

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
			if servers := v.ServersOf(op); len(servers) > 0 {
				base, own := OwnPath(servers[0].URL)
				if own && !v.shelf.serves(op.Method, strings.TrimSuffix(base, "/")+op.Path) {
					missing[op] = true
				}
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

// OwnPath returns the path of the address of a server, and whether the server is
// this installation: one on localhost, or without a host.
func OwnPath(server string) (path string, own bool) {
	u, err := url.Parse(server)
	if err != nil || u.Opaque != "" || u.Host != "" && u.Hostname() != "localhost" {
		return "", false
	}
	return u.Path, true
}

// SamePath reports whether the segments of a route's pattern and a documented
// path have the same literals and parameters in the same places. Parameters may
// have different names, and a pattern may write them as :name.
func SamePath(pattern []string, path string) bool {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	if len(segments) != len(pattern) {
		return false
	}
	for i, segment := range segments {
		literal, _, isParam := strings.Cut(segment, "{")
		want, _, wantsParam := strings.Cut(pattern[i], "{")
		if strings.HasPrefix(pattern[i], ":") {
			literal, want, wantsParam = "", "", true
		}
		if isParam != wantsParam || literal != want {
			return false
		}
	}
	return true
}
