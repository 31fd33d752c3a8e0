package web

import (
	"context"
	"net/http"
	"slices"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/channels/webhookrange"
	"heliograph/app/people/identity"
	"heliograph/app/web/channels/traffic"
	"heliograph/app/web/page"
	"heliograph/app/web/people/home"
	"heliograph/app/web/people/link"
	"heliograph/app/web/people/login"
	"heliograph/app/web/people/registration"
	"heliograph/views/ui"
)

// accountDeps holds the dependencies of the organisations' pages.
type accountDeps struct {
	// Provision gives a verified organisation what it tries the channels with.
	Provision func(ctx context.Context, tx pgx.Tx, organisationID int64, name string) error
	// Webhooks looks after where callbacks go.
	Webhooks *messaging.Webhooks
	// SMS manages what organisations send SMS with.
	SMS *sms.Registry
	// RCS holds the bots of all organisations.
	RCS *rcs.Service
	// Ranges takes callbacks at addresses of ours; nil where there are none.
	Ranges *webhookrange.Service
}

// accountPages holds the handlers of the organisations' pages.
type accountPages struct {
	registration *registration.Handlers
	login        *login.Handlers
}

// enrolment returns the rule by which organisations register and users prove their numbers.
func enrolment(s *Server) *identity.Enrolment {
	d := s.deps
	return &identity.Enrolment{
		DB: d.DB, Keyring: d.Keyring, Limiter: s.limiter, Notifications: d.Notifications,
		Provision: d.Provision, PublicURL: d.Config.PublicURL,
	}
}

func newAccount(s *Server) accountPages {
	d, gate := s.deps, s.gates[identity.Account]
	enrol := &registration.Handlers{Enrolment: enrolment(s), Gate: gate, Limiter: s.limiter, Team: identity.NewTeam(d.DB, newNotifier(s))}
	return accountPages{enrol, login.New(login.Deps{
		Area: page.Account, Directory: s.directory, Gate: gate, Limiter: s.limiter, Heading: "Sign in",
		Forgot:   ui.Link{Label: "Forgot your password?", Href: "/forgot-password"},
		Register: ui.Link{Label: "Register an organisation", Href: "/register"},
		Pending:  enrol.Pending,
	})}
}

// visitors lists what a user needs before and to sign in, and to sign out.
func (a accountPages) visitors() []Route {
	return slices.Concat(registrationRoutes(a.registration), []Route{
		{Name: "login.show", Method: http.MethodGet, Path: "/login", Access: Visitor, Handler: a.login.Show},
		{Name: "login", Method: http.MethodPost, Path: "/login", Access: Visitor, Handler: page.Form(a.login.Login)},
		{Name: "logout", Method: http.MethodPost, Path: "/logout", Access: Member, Handler: a.login.Logout},
	})
}

// homeRoutes lists the first page of an organisation, and what public pages show of its users.
func homeRoutes(s *Server) []Route {
	d := s.deps
	h := &home.Handlers{
		DB: d.DB, Traffic: traffic.Sections{DB: d.DB, Channels: d.Channels}, Directory: s.directory, Gate: s.gates[identity.Account], PublicURL: d.Config.PublicURL, Word: d.Config.ChannelWord,
		Quotas: media.Quotas{Stored: int64(d.Config.StoredFiles) << 20, Daily: int64(d.Config.DailyUploads) << 20},
	}
	user := &link.Handlers{DB: d.DB, RCS: d.RCS, SMSRegistry: d.SMS, Staff: s.gates[identity.Administration].Recognize}
	return []Route{
		{Name: "account.link", Method: http.MethodGet, Path: "/account/link", Access: Visitor, Handler: user.Show},
		{Name: "account", Method: http.MethodGet, Path: "/account", Access: Member, Handler: h.Show},
		{Name: "account.first_key", Method: http.MethodPost, Path: "/account/first-key", Access: Developer, Handler: h.CreateFirstKey},
	}
}
