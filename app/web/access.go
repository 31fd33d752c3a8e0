package web

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
)

// Access says who may use a route, and with it what the chain does before the
// handler.
type Access string

// The classes of access.
const (
	// Public pages are the same for everybody: no session, no database.
	Public Access = "public"
	// APIKey routes authenticate by key in their own package; no cookie is read.
	APIKey Access = "apikey"
	// Operator routes are for machines that watch the process.
	Operator Access = "operator"
	// Visitor pages have forms that anybody may send, such as registering.
	Visitor Access = "visitor"
	// Member pages are for every user of an organisation.
	Member Access = "member"
	// Developer pages are for an organisation's developers and owners.
	Developer Access = "developer"
	// Owner pages are for an organisation's owners alone.
	Owner Access = "owner"
	// AdminVisitor pages are what administrators need before they sign in.
	AdminVisitor Access = "admin_visitor"
	// Viewer pages are for every administrator.
	Viewer Access = "viewer"
	// Editor pages are for Editors and Super Admins.
	Editor Access = "editor"
	// SuperAdmin pages are for Super Admins alone.
	SuperAdmin Access = "super_admin"
)

// passes says what kind of session a route asks for and which roles pass; an access
// that is not here has no session.
var passes = map[Access]struct {
	surface identity.Surface
	roles   []string // none: anybody
}{
	Visitor:      {identity.Account, nil},
	Member:       {identity.Account, []string{identity.Viewer, identity.Developer, identity.Owner}},
	Developer:    {identity.Account, []string{identity.Developer, identity.Owner}},
	Owner:        {identity.Account, []string{identity.Owner}},
	AdminVisitor: {identity.Administration, nil},
	Viewer:       {identity.Administration, []string{identity.Viewer, identity.Editor, identity.SuperAdmin}},
	Editor:       {identity.Administration, []string{identity.Editor, identity.SuperAdmin}},
	SuperAdmin:   {identity.Administration, []string{identity.SuperAdmin}},
}

// defaultBodyLimit is enough for every form, in bytes. A form that is refused is
// shown again with what was typed, so that more would come back.
const defaultBodyLimit = 64 << 10

// mount puts the table on the router, each handler within its part of the
// chain. The chain is composed here once, not per request.
func (s *Server) mount(table []Route) error {
	s.routes, s.secrets = table, newSecretPaths(table)
	s.names = map[string]map[string]string{}
	taken := map[string]bool{}
	for _, r := range s.routes {
		if r.Name == "" || taken[r.Name] {
			return fmt.Errorf("route %s %s: the name %q is empty or taken", r.Method, r.Path, r.Name)
		}
		taken[r.Name] = true
		handler, err := s.guard(r)
		if err != nil {
			return err
		}
		if s.names[r.Path] == nil {
			s.names[r.Path] = map[string]string{}
		}
		for _, method := range r.methods() {
			s.echo.Add(method, r.Path, handler)
			s.names[r.Path][method] = r.Name
		}
	}
	return nil
}

// anyMethod stands for every method in Route.Method.
const anyMethod = "*"

// methods lists what a route answers to.
func (r Route) methods() []string {
	switch r.Method {
	case anyMethod:
		return []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
	case http.MethodGet:
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{r.Method}
}

// guard wraps a handler in what its access demands, from the inside out.
func (s *Server) guard(r Route) (echo.HandlerFunc, error) {
	handler := r.Handler
	if pass, ok := passes[r.Access]; ok {
		handler = s.gates[pass.surface].Guard(handler, pass.roles...)
	} else if r.Access != Public && r.Access != APIKey && r.Access != Operator {
		return nil, fmt.Errorf("route %s: there is no access %q", r.Name, r.Access)
	}
	if r.Access != APIKey && r.Access != Operator {
		handler = legiblePath(page.WithinFrame(handler))
	}
	if r.Streamed {
		handler = page.Streamed(handler)
	}
	limit := cmp.Or(r.BodyLimit, defaultBodyLimit)
	if handler = limitBody(handler, limit); takesTurn(r) {
		handler = s.inTurn(handler, limit, r.Name == assistantRoute)
	}
	return handler, nil
}

// legiblePath answers that nothing is at a path with bytes that are no text: no name or id
// has them, and the database takes none.
func legiblePath(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if path := c.Request().URL.Path; strings.ContainsRune(path, 0) || !utf8.ValidString(path) {
			return echo.ErrNotFound
		}
		return next(c)
	}
}

// limitBody refuses bodies over limit bytes: at once when the client says how
// long its body is, else while the handler reads.
func limitBody(next echo.HandlerFunc, limit int64) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.ContentLength > limit {
			return fault.New(fault.TooLarge, "The body of the request is too large: at most %d bytes are read here.", limit)
		}
		if r.ContentLength != 0 {
			r.Body = http.MaxBytesReader(c.Response(), r.Body, limit)
		}
		return next(c)
	}
}
