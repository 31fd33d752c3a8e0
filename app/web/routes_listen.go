package web

import (
	"net/http"

	rule "heliograph/app/channels/listen"
	"heliograph/app/web/channels/listen"
)

// listenRoutes lists the address that programs of partners ask for callbacks.
func listenRoutes(s *Server) []Route {
	d := s.deps
	if d.Authenticate == nil || d.Webhooks == nil || d.RCS == nil {
		return nil
	}
	h := listen.New(listen.Deps{
		Events:  rule.New(rule.Options{Channels: d.Channels, DB: d.DB, Keyring: d.Keyring, Signer: d.Callbacks, Webhooks: d.Webhooks, SMS: d.SMS, RCS: d.RCS}),
		Limiter: s.limiter, Authenticate: d.Authenticate, Listener: d.Listener, Draining: s.draining.Load,
	})
	return []Route{{Name: "api.events", Method: http.MethodGet, Path: listen.Path, Access: APIKey, Handler: h.Serve}}
}
