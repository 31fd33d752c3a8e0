package web

import (
	"net/http"

	"heliograph/app/documentation/sdk/builds"
	"heliograph/app/web/page"
	"heliograph/app/web/reader"
	"heliograph/app/web/reader/sdk"
)

// sdkRoutes lists the pages and files of client libraries, for readers and administrators.
func sdkRoutes(s *Server, pages *reader.Pages) []Route {
	h := &sdk.Handlers{Pages: pages, Builds: s.deps.SDKs}
	if h.Builds == nil {
		h.Builds = &builds.Service{DB: s.deps.DB} // without storage
	}
	return []Route{
		{Name: "sdk", Method: http.MethodGet, Path: "/sdk/:product/:version", Access: Public, Handler: h.Show},
		{Name: "sdk.call", Method: http.MethodGet, Path: "/sdk/:product/:version/calls/:endpoint", Access: Public, Handler: h.Call},
		{Name: "sdk.archive", Method: http.MethodGet, Path: "/sdk/:product/:version/:file", Access: Public, Handler: h.Archive},
		{Name: "admin.sdks", Method: http.MethodGet, Path: sdk.AdminPath, Access: Viewer, Handler: h.List},
		{Name: "admin.sdks.retry", Method: http.MethodPost, Path: sdk.AdminPath + "/:id/:language/retry", Access: Editor, Handler: page.WithID(h.Retry)},
	}
}
