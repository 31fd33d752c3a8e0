package web

import (
	"net/http"
	"time"

	"heliograph/app/channels/simulate"
	rule "heliograph/app/channels/webhookrange"
	"heliograph/app/web/channels/webhookrange"
	"heliograph/app/web/page"
)

// rangeRoutes lists the pages of the webhook range.
func rangeRoutes(s *Server) []Route {
	if s.deps.Ranges == nil {
		return nil
	}
	h := webhookrange.New(webhookrange.Deps{
		Ranges: s.deps.Ranges, Frame: page.AccountFrame,
		Simulator: &simulate.Simulator{Words: s.deps.Config.ChannelWords(), Now: time.Now, Signer: s.deps.Callbacks},
	})
	const path, one = webhookrange.Path, webhookrange.Path + "/requests/:id"
	return []Route{
		{Name: "account.range", Method: http.MethodGet, Path: path, Access: Member, Handler: h.Show},
		{Name: "account.range.open", Method: http.MethodPost, Path: path + "/open", Access: Developer, Handler: h.Open},
		{Name: "account.range.extend", Method: http.MethodPost, Path: path + "/extend", Access: Developer, Handler: h.Extend},
		{Name: "account.range.end", Method: http.MethodPost, Path: path + "/end", Access: Developer, Handler: h.End},
		{Name: "account.range.answer", Method: http.MethodPost, Path: path + "/answer", Access: Developer, Handler: page.Form(h.SetAnswer)},
		{Name: "account.range.test", Method: http.MethodPost, Path: path + "/test", Access: Developer, Handler: h.SendTest},
		{Name: "account.range.compare", Method: http.MethodGet, Path: path + "/compare", Access: Member, Handler: h.Compare},
		{Name: "account.range.request", Method: http.MethodGet, Path: one, Access: Member, Handler: h.ShowRequest},
		{Name: "account.range.check", Method: http.MethodPost, Path: one, Access: Member, Handler: h.Check},
		{Name: "account.range.keep", Method: http.MethodPost, Path: one + "/keep", Access: Developer, Handler: h.Keep},
		{Name: "account.range.replay", Method: http.MethodPost, Path: one + "/replay", Access: Developer, Handler: h.Replay},
	}
}

// rangeAPI is the surface of the addresses of webhook ranges.
func rangeAPI(s *Server) API {
	h := webhookrange.NewReceiver(s.deps.Ranges)
	return API{Name: "range", Prefixes: []string{rule.Prefix}, Handle: h.Handle, Fail: h.Fail, BodyLimit: rule.MaxBody, Secret: SecretPath{Prefix: rule.Prefix}}
}
