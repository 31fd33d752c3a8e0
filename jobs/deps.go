package jobs

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/carry"
	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/relay"
	"heliograph/app/documentation/importing"
	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/app/outbound"
	"heliograph/app/people/contact"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/jobs/args"
	"heliograph/storage"
)

// Deps holds the dependencies of the workers.
type Deps struct {
	Pool    *pgxpool.Pool
	Signals *db.Signals // tells open pages; may be nil
	Keyring *keyring.Keyring
	// Channels are the channels that messages go through.
	Channels pipeline.Channels
	Carrier  outbound.Carrier // of sandboxes, and of everything without Routes
	Routes   *pipeline.Routes // to the carriers of other senders; may be nil
	Poster   *outbound.Client // posts callbacks
	// Files requests the files that messages name by link; nil leaves them to the
	// carriers.
	Files  *outbound.Client
	Quotas media.Quotas // of the files that it keeps
	// Preparer reads imported documents, and Documents requests the ones at an address.
	Preparer  importing.Preparer
	Documents *outbound.Client
	// Gateways dials the carriers that operators set up. It may reach networks that
	// Poster must not.
	Gateways *outbound.Client
	// CarrierFiles moves files to and from these carriers; nil leaves it to Gateways.
	CarrierFiles *outbound.Client
	Store        storage.Store // media and uploads
	Anchors      storage.Store // of the audit
	Product      string        // name of the messaging channel in callbacks
	// PublicURL is the start of links in emails and of the addresses that carriers
	// report to.
	PublicURL string
	// KeepUnverified is how long a registration is kept if its code was never
	// entered; zero keeps it for good.
	KeepUnverified time.Duration
	// Zone is the time zone of analytics; nil is UTC.
	Zone *time.Location
	// Settings say how SMS and emails are sent, Courier hands them over.
	Settings *setting.Settings
	Courier  notification.Courier
	// Schedule of callbacks; relay.Standard when it is not given.
	Schedule relay.Schedule
}

// carrying returns what the hand-over of messages needs of the dependencies.
func (d Deps) carrying() carry.Options {
	return carry.Options{
		Pool: d.Pool, Signals: d.Signals, Keyring: d.Keyring, Channels: d.Channels, Carrier: d.Carrier, Routes: d.Routes, Files: d.Files, Quotas: d.Quotas,
		Gateways: d.Gateways, CarrierFiles: d.CarrierFiles, Store: d.Store, PublicURL: d.PublicURL,
	}
}

// notifications returns the rules of emails and SMS for a worker.
func (d Deps) notifications(jobs args.Inserter) *notification.Service {
	return notification.New(notification.Options{DB: d.Pool, Keyring: d.Keyring, Settings: d.Settings, Jobs: jobs, Courier: d.Courier})
}

// contacts returns the rules of enquiries for a worker.
func (d Deps) contacts(jobs args.Inserter) *contact.Service {
	return contact.New(contact.Options{
		DB: d.Pool, Keyring: d.Keyring, Settings: d.Settings, Jobs: jobs, Mail: d.notifications(jobs), PublicURL: d.PublicURL, Poster: contactPoster{d.Poster}, Signals: d.Signals,
	})
}

// importing returns the rule of imports.
func (d Deps) importing() *importing.Service {
	return importing.New(importing.Deps{DB: d.Pool, Store: d.Store, Signals: d.Signals, Preparer: d.Preparer, Fetcher: d.Documents})
}
