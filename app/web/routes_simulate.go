package web

import (
	"net/http"
	"slices"
	"strings"
	"time"

	rule "heliograph/app/channels/simulate"
	"heliograph/app/web/channels/simulate"
	"heliograph/app/web/reader"
)

// simulatorRoutes lists the pages of the message simulators, and what receivers
// of callbacks are tried with.
func simulatorRoutes(s *Server, pages *reader.Pages) []Route {
	h := simulate.New(simulate.Deps{
		Documentation: s.deps.Documentation, Limiter: s.limiter, Frame: pages.Frame, Words: s.deps.Config.ChannelWords(), PublicURL: strings.TrimSuffix(s.deps.Config.PublicURL, "/"),
		Signer: s.deps.Callbacks, Console: s.deps.Settings.ConsoleShown, Sandbox: s.deps.Sandbox,
		Accounts: &rule.Accounts{DB: s.deps.DB, Word: s.deps.Config.ChannelWord, Now: time.Now},
	})
	routes := []Route{{Name: "simulators", Method: http.MethodGet, Path: simulate.Path, Access: Visitor, Handler: h.Index}}
	for _, slug := range rule.Channels {
		path := simulate.Path + "/" + slug
		routes = append(routes,
			Route{Name: "simulator." + slug + ".show", Method: http.MethodGet, Path: path, Access: Visitor, Handler: h.Show(slug)},
			Route{Name: "simulator." + slug, Method: http.MethodPost, Path: path, Access: Visitor, Handler: h.Check(slug), BodyLimit: simulate.BodyLimit},
			Route{Name: "simulator." + slug + ".send", Method: http.MethodPost, Path: path + "/send", Access: Developer, Handler: h.Send(slug), BodyLimit: simulate.BodyLimit},
		)
	}
	return slices.Concat(routes, rangeRoutes(s), listenRoutes(s))
}
