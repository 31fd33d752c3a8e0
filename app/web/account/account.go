// Package account serves the pages of an organisation: its overview, messages, callbacks,
// webhooks and bots.
package account

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
)

// Deps holds the dependencies of the handlers.
type Deps struct {
	DB        db.Querier // read only
	Directory *identity.Directory
	Gate      *page.Gate // of the accounts
	// PublicURL is the address of the APIs, and Word the name of the channel in
	// bodies.
	PublicURL, Word string
	Webhooks        *messaging.Webhooks
	SMSRegistry     *sms.Registry
	RCS             *rcs.Service
	Suppressions    *blocklist.Lists
	Quotas          messaging.Quotas // of files, zero for none
	// Staff returns the administrator who is signed in, nil for nobody.
	Staff func(echo.Context) (*identity.User, error)
}

// Handlers answers the routes under /account.
type Handlers struct{ Deps }

// New makes the handlers.
func New(deps Deps) *Handlers { return &Handlers{deps} }
