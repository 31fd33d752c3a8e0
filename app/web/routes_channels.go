package web

import (
	"context"
	"net/http"
	"slices"

	register "heliograph/app/channels/messaging/assets"
	rules "heliograph/app/channels/messaging/templates"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/sms"
	"heliograph/app/web/channels/assets"
	"heliograph/app/web/channels/bots"
	"heliograph/app/web/channels/carriers"
	"heliograph/app/web/channels/headers"
	"heliograph/app/web/channels/messages"
	"heliograph/app/web/channels/owntemplates"
	"heliograph/app/web/channels/parked"
	smspages "heliograph/app/web/channels/sms"
	"heliograph/app/web/channels/templates"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// carrying lists the pages on which administrators look after what the channels carry.
func carrying(s *Server) []Route {
	return slices.Concat(carrierRoutes(s), messageRoutes(s), headerRoutes(s), parkedRoutes(s), templateRoutes(s), assetRoutes(s), smsRoutes(s), botRoutes(s))
}

// carrierRoutes lists the pages about the carriers that operators set up.
func carrierRoutes(s *Server) []Route {
	h := &carriers.Handlers{Carriers: s.deps.Carriers, PublicURL: s.deps.Config.PublicURL}
	const one = "/admin/carriers/:id"
	return []Route{
		{Name: "admin.carriers", Method: http.MethodGet, Path: "/admin/carriers", Access: Viewer, Handler: h.List},
		{Name: "admin.carriers.new", Method: http.MethodGet, Path: "/admin/carriers/new", Access: SuperAdmin, Handler: h.ShowNew},
		{Name: "admin.carriers.add", Method: http.MethodPost, Path: "/admin/carriers", Access: SuperAdmin, Handler: h.Add},
		{Name: "admin.carriers.routes.set", Method: http.MethodPost, Path: "/admin/carriers/routes", Access: SuperAdmin, Handler: page.Form(h.SetRoute)},
		{Name: "admin.carriers.routes.removal", Method: http.MethodPost, Path: "/admin/carriers/routes/:id/removal", Access: SuperAdmin, Handler: h.RemoveRoute, Ask: h.AskRemoveRoute},
		{Name: "admin.carriers.show", Method: http.MethodGet, Path: one, Access: SuperAdmin, Handler: h.Show},
		{Name: "admin.carriers.set", Method: http.MethodPost, Path: one, Access: SuperAdmin, Handler: h.Set},
		{Name: "admin.carriers.test", Method: http.MethodPost, Path: one + "/test", Access: SuperAdmin, Handler: h.Test},
		{Name: "admin.carriers.disabling", Method: http.MethodPost, Path: one + "/disabling", Access: SuperAdmin, Handler: h.Disable, Ask: h.AskDisable},
		{Name: "admin.carriers.enabling", Method: http.MethodPost, Path: one + "/enabling", Access: SuperAdmin, Handler: h.Enable},
		{Name: "admin.carriers.renewal", Method: http.MethodPost, Path: one + "/renewal", Access: SuperAdmin, Handler: h.RenewInbound, Ask: h.AskRenewInbound},
		{Name: "admin.carriers.removal", Method: http.MethodPost, Path: one + "/removal", Access: SuperAdmin, Handler: h.Remove, Ask: h.AskRemove},
	}
}

// messageRoutes lists the pages about the messages of all organisations.
func messageRoutes(s *Server) []Route {
	h := &messages.Handlers{DB: s.deps.DB, Channels: s.deps.Channels}
	return []Route{
		{Name: "admin.messages", Method: http.MethodGet, Path: "/admin/messages", Access: SuperAdmin, Handler: page.Asked(h.List)},
		{Name: "admin.messages.show", Method: http.MethodGet, Path: "/admin/messages/:id", Access: SuperAdmin, Handler: h.Show},
	}
}

// headerRoutes lists the pages of the desk for SMS headers.
func headerRoutes(s *Server) []Route {
	h := &headers.Handlers{Desk: sms.HeaderDesk{DB: s.deps.DB, Mail: s.deps.Notifications, PublicURL: s.deps.Config.PublicURL}}
	return []Route{
		{Name: "admin.sms_headers", Method: http.MethodGet, Path: headers.Path, Access: Viewer, Handler: h.List},
		{Name: "admin.sms_header", Method: http.MethodGet, Path: headers.Path + "/:id", Access: Viewer, Handler: h.Show},
		{Name: "admin.sms_header.decide", Method: http.MethodPost, Path: headers.Path + "/:id", Access: SuperAdmin, Handler: page.WithID(h.Decide)},
	}
}

// parkedRoutes lists the pages of the desk for messages that wait for a person.
func parkedRoutes(s *Server) []Route {
	h := &parked.Handlers{Desk: &pipeline.Parking{DB: s.deps.DB, Jobs: s.deps.Jobs, Channels: s.deps.Channels, Signals: s.deps.Signals}}
	return []Route{
		{Name: "admin.parked_messages", Method: http.MethodGet, Path: parked.Path, Access: SuperAdmin, Handler: h.List},
		{Name: "admin.parked_message", Method: http.MethodGet, Path: parked.Path + "/:id", Access: SuperAdmin, Handler: h.Show},
		{Name: "admin.parked_message.decide", Method: http.MethodPost, Path: parked.Path + "/:id", Access: SuperAdmin, Handler: h.Decide},
	}
}

// templateRoutes lists the pages of the desk for templates of live organisations, and the
// page on which organisations see theirs.
func templateRoutes(s *Server) []Route {
	own := owntemplates.New(func(ctx context.Context, organisationID int64, limit int) ([]models.Template, error) {
		return queries.TemplateListNewest(ctx, s.deps.DB, organisationID, limit)
	}, func(ctx context.Context, organisationID int64) (int64, error) {
		return queries.AccountIDGetOwned(ctx, s.deps.DB, organisationID, 0)
	}, s.deps.Config.PublicURL)
	h := &templates.Handlers{Desk: rules.Desk{DB: s.deps.DB, Jobs: s.deps.Jobs, Product: s.deps.Config.ChannelWord}}
	return []Route{
		{Name: "account.templates", Method: http.MethodGet, Path: owntemplates.Path, Access: Member, Handler: own.Show},
		{Name: "admin.message_templates", Method: http.MethodGet, Path: templates.Path, Access: Viewer, Handler: h.List},
		{Name: "admin.message_template", Method: http.MethodGet, Path: templates.Path + "/:id", Access: Viewer, Handler: h.Show},
		{Name: "admin.message_template.decide", Method: http.MethodPost, Path: templates.Path + "/:id", Access: SuperAdmin, Handler: page.WithID(h.Decide)},
	}
}

// assetRoutes lists the pages about what an organisation has and shares.
func assetRoutes(s *Server) []Route {
	h := &assets.Handlers{Assets: register.New(s.deps.DB, s.deps.Keyring)}
	const share = "/account/assets/:id/shares/:business/end"
	return []Route{
		{Name: "account.assets", Method: http.MethodGet, Path: "/account/assets", Access: Member, Handler: h.Show},
		{Name: "account.assets.share", Method: http.MethodPost, Path: "/account/assets/shares", Access: Owner, Handler: page.Form(h.Share)},
		{Name: "account.assets.unshare", Method: http.MethodPost, Path: share, Access: Owner, Handler: h.Unshare, Ask: h.AskUnshare},
	}
}

// smsRoutes lists the pages of the headers and texts of an organisation.
func smsRoutes(s *Server) []Route {
	h := &smspages.Handlers{SMSRegistry: s.deps.SMS, PublicURL: s.deps.Config.PublicURL}
	return []Route{
		{Name: "account.sms", Method: http.MethodGet, Path: "/account/sms", Access: Member, Handler: h.Show},
		{Name: "account.sms.headers.add", Method: http.MethodPost, Path: "/account/sms/headers", Access: Developer, Handler: h.AddHeader},
		{Name: "account.sms.headers.remove", Method: http.MethodPost, Path: "/account/sms/headers/:id/remove", Access: Developer, Handler: h.RemoveHeader, Ask: h.AskRemoveHeader},
		{Name: "account.sms.registration", Method: http.MethodPost, Path: "/account/sms/registration", Access: Developer, Handler: h.SetRegistration},
		{Name: "account.sms.texts.add", Method: http.MethodPost, Path: "/account/sms/texts", Access: Developer, Handler: h.AddText},
		{Name: "account.sms.texts.remove", Method: http.MethodPost, Path: "/account/sms/texts/:id/remove", Access: Developer, Handler: page.WithID(h.RemoveText), Ask: h.AskRemoveText},
	}
}

// botRoutes lists the pages of the desk for RCS bots and their templates.
func botRoutes(s *Server) []Route {
	h := &bots.Reviews{RCS: s.deps.RCS}
	return []Route{
		{Name: "admin.bots", Method: http.MethodGet, Path: "/admin/bots", Access: Viewer, Handler: h.List},
		{Name: "admin.bot", Method: http.MethodGet, Path: "/admin/bots/:id", Access: Viewer, Handler: h.Show},
		{Name: "admin.bot.image", Method: http.MethodGet, Path: "/admin/bots/:id/images/:name", Access: Viewer, Handler: h.Image},
		{Name: "admin.bot.move", Method: http.MethodPost, Path: "/admin/bots/:id/moves", Access: SuperAdmin, Handler: h.Move},
		{Name: "admin.bot.template", Method: http.MethodPost, Path: "/admin/bots/:id/templates", Access: SuperAdmin, Handler: h.ReviewTemplate},
	}
}
