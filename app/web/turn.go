package web

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
)

// costly are the routes besides forms that compute for anybody.
var costly = []string{assistantRoute, "search", "api.search"}

// assistantRoute is a route on which every request counts against the share of its address:
// most of what it takes has no other limit.
const assistantRoute = "mcp"

// takesTurn reports whether strangers wait for their turn at a route: where they send a
// form, and at what is costly. Forms that call other servers, or that are shown while
// somebody types, have limits of their own.
func takesTurn(r Route) bool {
	stranger := r.Access == Public || r.Access == Visitor || r.Access == AdminVisitor
	return stranger && (slices.Contains(costly, r.Name) || r.Method == http.MethodPost && r.BodyLimit <= defaultBodyLimit)
}

// inTurn runs a handler when it is the turn of its address. The body is read before, as
// far as it may go, so that a slow client holds no turn. Of forms and searches, only the refused ones
// count.
func (s *Server) inTurn(next echo.HandlerFunc, most int64, counts bool) echo.HandlerFunc {
	return func(c echo.Context) error {
		keepBody(c.Request(), most)
		done, err := s.turns.Take(c.Request().Context(), limit.Client(c.RealIP()))
		if err != nil {
			page.NoStore(c.Response().Header())
			return err
		}
		refused := true
		defer func() { done(counts || refused) }()
		err = next(c)
		refused = err != nil || c.Response().Status >= http.StatusBadRequest
		return err
	}
}

// keepBody reads a body that does not announce more than it may have, and lets it be read
// again with the error that ended it. Of a longer one it reads enough to see that it is
// too long.
func keepBody(r *http.Request, most int64) {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength > most {
		return
	}
	read, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	r.Body = keptBody{r.Body, bytes.NewReader(read), err}
}

// keptBody is a body in memory, and how it ended.
type keptBody struct {
	io.Closer
	read *bytes.Reader
	err  error
}

// Read reads what was kept.
func (b keptBody) Read(p []byte) (int, error) {
	n, err := b.read.Read(p)
	if errors.Is(err, io.EOF) && b.err != nil {
		return n, b.err
	}
	return n, err
}
