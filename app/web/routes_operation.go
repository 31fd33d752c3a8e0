package web

import (
	"net/http"
	"slices"

	"heliograph/app/channels"
	"heliograph/app/operation/queue"
	"heliograph/app/web/channels/traffic"
	"heliograph/app/web/operation/audit"
	"heliograph/app/web/operation/jobs"
	"heliograph/app/web/operation/overview"
	"heliograph/app/web/operation/retention"
	"heliograph/app/web/operation/settings"
	"heliograph/app/web/page"
)

// operators lists the pages on which operators look after the program.
func operators(s *Server) []Route {
	return slices.Concat(overviewRoutes(s), jobRoutes(s), auditRoutes(s), settingRoutes(s), retentionRoutes(s))
}

// jobRoutes lists the pages of the job queues.
func jobRoutes(s *Server) []Route {
	h := &jobs.Handlers{DB: s.deps.DB, Queues: queue.New(s.deps.DB, s.deps.Jobs, channels.Endings{Channels: s.deps.Channels}), Signals: s.deps.Signals}
	return []Route{
		{Name: "admin.jobs", Method: http.MethodGet, Path: "/admin/jobs", Access: SuperAdmin, Handler: page.Asked(h.List)},
		{Name: "admin.jobs.retry_many", Method: http.MethodPost, Path: "/admin/jobs/retry", Access: SuperAdmin, Handler: page.Form(h.RetryMany), Ask: h.AskRetryMany},
		{Name: "admin.jobs.show", Method: http.MethodGet, Path: "/admin/jobs/:id", Access: SuperAdmin, Handler: page.WithID(h.Show)},
		{Name: "admin.jobs.retry", Method: http.MethodPost, Path: "/admin/jobs/:id/retry", Access: SuperAdmin, Handler: h.Retry},
		{Name: "admin.jobs.cancel", Method: http.MethodPost, Path: "/admin/jobs/:id/cancel", Access: SuperAdmin, Handler: h.Cancel, Ask: h.AskCancel},
		{Name: "admin.queues.pause", Method: http.MethodPost, Path: "/admin/jobs/queues/:name/pause", Access: SuperAdmin, Handler: h.PauseQueue, Ask: h.AskPause},
		{Name: "admin.queues.resume", Method: http.MethodPost, Path: "/admin/jobs/queues/:name/resume", Access: SuperAdmin, Handler: h.ResumeQueue},
	}
}

// auditRoutes lists the pages of the audit.
func auditRoutes(s *Server) []Route {
	h := &audit.Handlers{DB: s.deps.DB}
	return []Route{
		{Name: "admin.audit", Method: http.MethodGet, Path: "/admin/audit", Access: SuperAdmin, Handler: page.Asked(h.List)},
		{Name: "admin.audit.show", Method: http.MethodGet, Path: "/admin/audit/:id", Access: SuperAdmin, Handler: page.WithID(h.Show)},
		{Name: "admin.audit.export", Method: http.MethodGet, Path: "/admin/audit.csv", Access: SuperAdmin, Handler: page.Asked(h.Export)},
	}
}

// settingRoutes lists the pages that say how SMS and emails are sent.
func settingRoutes(s *Server) []Route {
	h := &settings.Handlers{DB: s.deps.DB, Limiter: s.limiter, Settings: s.deps.Settings, Notifications: s.deps.Notifications}
	sms, email := h.SMS(), h.Email()
	return []Route{
		{Name: "admin.sms_settings.show", Method: http.MethodGet, Path: "/admin/sms-settings", Access: SuperAdmin, Handler: sms.Show},
		{Name: "admin.sms_settings", Method: http.MethodPost, Path: "/admin/sms-settings", Access: SuperAdmin, Handler: sms.Save},
		{Name: "admin.sms_settings.test", Method: http.MethodPost, Path: "/admin/sms-settings/test", Access: SuperAdmin, Handler: sms.Test},
		{Name: "admin.email_settings.show", Method: http.MethodGet, Path: "/admin/email-settings", Access: SuperAdmin, Handler: email.Show},
		{Name: "admin.email_settings", Method: http.MethodPost, Path: "/admin/email-settings", Access: SuperAdmin, Handler: email.Save},
		{Name: "admin.email_settings.test", Method: http.MethodPost, Path: "/admin/email-settings/test", Access: SuperAdmin, Handler: email.Test},
	}
}

// retentionRoutes lists the pages that say how long messages are kept.
func retentionRoutes(s *Server) []Route {
	h := &retention.Handlers{DB: s.deps.DB, Retention: s.deps.DB, Signals: s.deps.Signals}
	return []Route{
		{Name: "admin.retention.show", Method: http.MethodGet, Path: "/admin/retention", Access: SuperAdmin, Handler: h.Show},
		{Name: "admin.retention", Method: http.MethodPost, Path: "/admin/retention", Access: SuperAdmin, Handler: page.Form(h.Save)},
		{Name: "admin.erasure", Method: http.MethodPost, Path: "/admin/retention/erasure", Access: SuperAdmin, Handler: page.Form(h.Erase)},
	}
}

// overviewRoutes lists the first page of the administration.
func overviewRoutes(s *Server) []Route {
	d := s.deps
	h := &overview.Handlers{DB: d.DB, Traffic: traffic.Sections{DB: d.DB, Channels: d.Channels}, Zone: zoneOf(s), Settings: d.Settings, Notifications: d.Notifications, Production: d.Config.Production(), Storage: d.Storage}
	return []Route{
		{Name: "admin.home", Method: http.MethodGet, Path: "/admin", Access: Viewer, Handler: h.Show},
	}
}
