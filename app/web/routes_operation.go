package web

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels"
	"heliograph/app/operation/queue"
	"heliograph/app/web/channels/traffic"
	"heliograph/app/web/operation/audit"
	"heliograph/app/web/operation/gallery"
	"heliograph/app/web/operation/help"
	"heliograph/app/web/operation/insight"
	"heliograph/app/web/operation/jobs"
	"heliograph/app/web/operation/overview"
	"heliograph/app/web/operation/retention"
	"heliograph/app/web/operation/settings"
	"heliograph/app/web/operation/theme"
	"heliograph/app/web/page"
	"heliograph/app/web/reader"
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
	h := &overview.Handlers{
		DB:            d.DB,
		Traffic:       traffic.Sections{DB: d.DB, Channels: d.Channels},
		Zone:          zoneOf(s),
		Settings:      d.Settings,
		Notifications: d.Notifications,
		Production:    d.Config.Production(),
		Storage:       d.Storage,
	}
	return []Route{
		{Name: "admin.home", Method: http.MethodGet, Path: "/admin", Access: Viewer, Handler: h.Show},
	}
}

// helpRoutes lists the pages of the handbook.
func helpRoutes(s *Server) []Route {
	return []Route{
		{Name: "admin.help", Method: http.MethodGet, Path: help.Path, Access: Viewer, Handler: help.Handbook},
		{Name: "admin.help.topic", Method: http.MethodGet, Path: help.Path + "/:topic", Access: Viewer, Handler: help.Topic},
	}
}

// zoneOf is the time zone of analytics.
func zoneOf(s *Server) *time.Location {
	if s.deps.Insight == nil {
		return time.UTC
	}
	return s.deps.Insight.Zone()
}

// insightRoutes lists the pages of analytics.
func insightRoutes(s *Server) []Route {
	if s.deps.Documentation == nil {
		return nil // Without documentation there is no administration.
	}
	h := insight.New(insight.Deps{DB: s.deps.DB, Documentation: s.deps.Documentation, Zone: zoneOf(s)})
	return []Route{
		{Name: "admin.analytics", Method: http.MethodGet, Path: insight.Path, Access: Viewer, Handler: page.With(h.Read, h.Show)},
		{Name: "admin.analytics.part", Method: http.MethodGet, Path: insight.Path + "/:part", Access: Viewer, Handler: page.With(h.Read, h.Show)},
		{Name: "admin.analytics.export", Method: http.MethodGet, Path: insight.Path + "/:part/:table", Access: Viewer, Handler: page.With(h.Read, h.Export)},
	}
}

// themeRoutes lists the pages of themes, and the files that themes publish.
func themeRoutes(s *Server, pages *reader.Pages) []Route {
	if s.deps.Themes == nil {
		return nil
	}
	files := theme.NewFiles(s.deps.Themes)
	h := &theme.Handlers{
		Themes: s.deps.Themes, Documentation: s.deps.Documentation, Gallery: s.deps.Media, Reader: pages.Preview, Open: s.open,
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
