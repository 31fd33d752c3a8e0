package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/operation/gallery"
	"heliograph/app/web/operation/theme"
	"heliograph/app/web/page"
	"heliograph/app/web/reader"
)

// themeRoutes lists the pages of themes, and the files that themes publish.
func themeRoutes(s *Server, pages *reader.Pages) []Route {
	if s.deps.Themes == nil {
		return nil
	}
	files := theme.NewFiles(s.deps.Themes)
	h := &theme.Handlers{
		Themes: s.deps.Themes, Catalogue: s.deps.Catalogue, Gallery: s.deps.Media, Reader: pages.Preview, Open: s.open,
		Components: gallery.New(gallery.Deps{Limiter: s.limiter}).Show,
	}
	const one = theme.Path + "/:surface"
	return []Route{
		{Name: "theme.picture", Method: http.MethodGet, Path: "/theme/pictures/:name", Access: Public, Handler: files.Picture},
		{Name: "theme.stylesheet", Method: http.MethodGet, Path: "/theme/:surface/:file", Access: Public, Handler: files.Stylesheet},

		{Name: "admin.themes", Method: http.MethodGet, Path: theme.Path, Access: SuperAdmin, Handler: h.Index},
		{Name: "admin.themes.show", Method: http.MethodGet, Path: one, Access: SuperAdmin, Handler: page.With(h.Load, h.Show)},
		{Name: "admin.themes.save", Method: http.MethodPost, Path: one, Access: SuperAdmin, Handler: h.Save, BodyLimit: theme.BodyLimit},
		{Name: "admin.themes.live", Method: http.MethodPost, Path: one + "/live", Access: SuperAdmin, Handler: h.Try},
		{Name: "admin.themes.preview", Method: http.MethodGet, Path: one + "/preview", Access: SuperAdmin, Handler: page.With(h.Load, h.Preview)},
		{Name: "admin.themes.publish", Method: http.MethodPost, Path: one + "/publication", Access: SuperAdmin, Handler: h.Publish},
		{Name: "admin.themes.discard", Method: http.MethodPost, Path: one + "/discard", Access: SuperAdmin, Handler: h.Discard},
		{Name: "admin.themes.export", Method: http.MethodGet, Path: one + "/export", Access: SuperAdmin, Handler: page.With(h.Load, h.Export)},
		{Name: "admin.themes.import", Method: http.MethodPost, Path: one + "/import", Access: SuperAdmin, Handler: h.Import, BodyLimit: 128 << 10},
		{Name: "admin.themes.reset", Method: http.MethodPost, Path: one + "/reset", Access: SuperAdmin, Handler: h.Reset, Ask: h.AskReset},
		{Name: "admin.themes.restore", Method: http.MethodPost, Path: one + "/revisions/:number", Access: SuperAdmin, Handler: h.Restore, Ask: h.AskRestore},
	}
}

// open answers a request with the page at a path without parameters, within the chain of
// that page.
func (s *Server) open(c echo.Context, path string) error {
	for _, r := range s.routes {
		if r.Method == http.MethodGet && r.Path == path {
			handler, err := s.guard(r)
			if err != nil {
				return err
			}
			return handler(c)
		}
	}
	return echo.ErrNotFound
}
