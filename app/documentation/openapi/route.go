package openapi

import (
	"net/url"
	"strings"
)

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
