// Package webhooks serves the webhooks of an organisation: of its numbers, bots and
// delivery reports.
package webhooks

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

// Bots answers the routes of the webhooks of bots.
type Bots struct{ Deps }

// NewBots makes the handlers of the webhooks of bots.
func NewBots(deps Deps) *Bots { return &Bots{deps} }

// Reports answers the routes of the webhook of delivery reports.
type Reports struct{ Deps }

// NewReports makes the handlers of the webhook of delivery reports.
func NewReports(deps Deps) *Reports { return &Reports{deps} }

// Handlers answers the routes of the webhooks of numbers.
type Handlers struct{ Deps }

// New makes the handlers.
func New(deps Deps) *Handlers { return &Handlers{deps} }
