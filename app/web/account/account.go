// Package account serves the webhooks of an organisation.
package account

import (
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/db"
)

// Deps holds the dependencies of the handlers.
type Deps struct {
	DB          db.Querier // read only
	Webhooks    *messaging.Webhooks
	SMSRegistry *sms.Registry
	RCS         *rcs.Service
}

// Handlers answers the routes under /account.
type Handlers struct{ Deps }

// New makes the handlers.
func New(deps Deps) *Handlers { return &Handlers{deps} }
