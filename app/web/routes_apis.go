package web

import (
	"regexp"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// API is a surface that programs call with an API key. It does its own routing
// under a prefix and answers every error in its own envelope. Cookies are not
// read there.
type API struct {
	// Name is the surface's name among the routes.
	Name string
	// Prefixes are the paths that it lives under, such as "/v3".
	Prefixes []string
	// Handle answers every method and path under the prefixes.
	Handle echo.HandlerFunc
	// Fail answers what Handle returned as an error or what the chain refused:
	// a panic, a body that is too large, an unknown method. The error is a
	// *fault.Error and its cause is logged already.
	Fail func(c echo.Context, err error) error
	// BodyLimit is the largest body in bytes; 0 means 64 KiB.
	BodyLimit int64
	// Secret is the part of the addresses that no log shows; empty for most.
	Secret SecretPath
	// UnknownPath returns the error of a path of no operation, such as one with another
	// version; nil leaves such paths to the pages.
	UnknownPath func(path string) error
	// Routes are pages that belong to the surface and live outside its prefix.
	Routes []Route
}

// owns reports whether a path belongs to the surface.
func (a API) owns(path string) bool {
	return slices.ContainsFunc(a.Prefixes, func(prefix string) bool {
		rest, under := strings.CutPrefix(path, prefix)
		return under && (rest == "" || rest[0] == '/')
	})
}

// version matches the segment of a prefix that is a version.
var version = regexp.MustCompile(`/v[0-9.]+`)

// resembles reports whether a path is one of the surface but for the case of its
// prefix or its version.
func (a API) resembles(path string) bool {
	path = strings.ToLower(path)
	return slices.ContainsFunc(a.Prefixes, func(prefix string) bool {
		pattern := "^" + version.ReplaceAllString(strings.ToLower(prefix), `/v[0-9]+(\.[0-9]+)*`) + "(/|$)"
		matched, err := regexp.MatchString(pattern, path)
		return err == nil && matched
	})
}

// apiRoutes lists the routes of each surface, one for a prefix, and its pages.
func apiRoutes(s *Server) (table []Route) {
	for _, api := range s.deps.APIs {
		for i, prefix := range api.Prefixes {
			name := api.Name
			if i > 0 {
				name += strings.ReplaceAll(prefix, "/", ".")
			}
			table = append(table, Route{Name: name, Method: anyMethod, Path: prefix + "/*", Access: APIKey, Handler: api.Handle, BodyLimit: api.BodyLimit, Secret: api.Secret})
		}
		table = append(table, api.Routes...)
	}
	return table
}
