package web

import (
	"strings"

	"github.com/labstack/echo/v4"
)

// API is a surface that programs call with an API key. It does its own routing
// under a prefix and answers every error in its own envelope. Cookies are not
// read there.
type API struct {
	// Name is the surface's name among the routes.
	Name string
	// Prefix is the path that it lives under, such as "/v3".
	Prefix string
	// Handle answers every method and path under Prefix.
	Handle echo.HandlerFunc
	// Fail answers what Handle returned as an error or what the chain refused:
	// a panic, a body that is too large, an unknown method. The error is a
	// *fault.Error and its cause is logged already.
	Fail func(c echo.Context, err error) error
	// BodyLimit is the largest body in bytes; 0 means 64 KiB.
	BodyLimit int64
	// Routes are pages that belong to the surface and live outside its prefix.
	Routes []Route
}

// owns reports whether a path belongs to the surface.
func (a API) owns(path string) bool {
	rest, under := strings.CutPrefix(path, a.Prefix)
	return under && (rest == "" || rest[0] == '/')
}

// apis lists one route for each surface and its pages.
func (s *Server) apis() (table []Route) {
	for _, api := range s.deps.APIs {
		table = append(table, Route{Name: api.Name, Method: anyMethod, Path: api.Prefix + "/*", Access: APIKey, Handler: api.Handle, BodyLimit: api.BodyLimit})
		table = append(table, api.Routes...)
	}
	return table
}
