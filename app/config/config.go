// Package config reads the program's settings from the environment and reports
// all errors at once. The comments of Config are the handbook's topic on
// configuration and .env.example.
package config

import (
	"errors"
	"net/netip"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// Config is every setting of the program. Field docs give units; the env tag
// gives the variable and the default.
type Config struct {
	// Environment is development or production. Production refuses development
	// shortcuts and requires keys and an https public URL.
	Environment string `env:"HELIOGRAPH_ENV" envDefault:"development"`

	// Listen is the address of the web process.
	Listen string `env:"LISTEN" envDefault:":8080"`
	// Port is the port of the web process on every address if LISTEN is unset.
	// Hosting platforms set it.
	Port string `env:"PORT"`
	// OpsListen is the address on which a worker serves /livez, /readyz,
	// /metrics and /debug/pprof/; empty serves none.
	OpsListen string `env:"OPS_LISTEN" envDefault:""`
	// PublicURL is the public URL of the web process, without a path.
	PublicURL string `env:"PUBLIC_URL" envDefault:"http://localhost:8080"`
	// TrustedProxies are the networks that are trusted to set X-Forwarded-For.
	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"`
	// MetricsNetworks are the networks that may read /metrics and /debug/pprof/.
	MetricsNetworks []netip.Prefix `env:"METRICS_NETWORKS" envDefault:"127.0.0.0/8,::1/128"`
	// DrainDelay is how long a web process keeps serving after /readyz starts to
	// fail on shutdown, so that load balancers notice.
	DrainDelay time.Duration `env:"DRAIN_DELAY" envDefault:"0s"`

	// DatabaseURL names the PostgreSQL database, 15 or newer.
	DatabaseURL string `env:"DATABASE_URL"`
	// DatabaseConns bounds the connections of one process; 0 lets each
	// command choose.
	DatabaseConns int32 `env:"DATABASE_CONNS" envDefault:"0"`

	// DocumentationMemory is how much memory of a web process compiled
	// documentation may take, in MiB.
	DocumentationMemory int `env:"CATALOGUE_MEMORY" envDefault:"96"`

	// APIMemory is how much memory of a web process the bodies of API requests may
	// take while they are decoded, in MiB. Memory is reserved for the bytes that arrive.
	// Further requests wait for 2 s and are then answered "busy": with 503 by SMS and RCS,
	// and with 500 and code 2 by messaging. One organisation gets half of it, and all
	// callers before their key is known a quarter.
	APIMemory int `env:"API_MEMORY" envDefault:"128"`
	// APIRequests is how many API requests of one organisation a web process serves
	// at once. Further requests wait for 2 s and are then throttled. Of these, 4 may be
	// uploads, with 256 MiB together. A process takes 24 uploads at once. Bodies of more than
	// 16 KiB are read at 8 MiB a second for each organisation, after the first 16 MiB.
	APIRequests int `env:"API_REQUESTS" envDefault:"256"`

	// StorageEndpoint is the S3 server as host:port; unset keeps files in STORAGE_FOLDER.
	StorageEndpoint string `env:"STORAGE_ENDPOINT"`
	// StorageBucket is the bucket for files, created when missing.
	StorageBucket string `env:"STORAGE_BUCKET" envDefault:"heliograph"`
	// StorageAuditBucket is a bucket for the anchors of the audit, created with object
	// lock when missing; unset keeps them in STORAGE_BUCKET.
	StorageAuditBucket string `env:"STORAGE_AUDIT_BUCKET"`
	// StorageRegion is the region of the buckets.
	StorageRegion string `env:"STORAGE_REGION" envDefault:"us-east-1"`
	// StorageAccessKey is the access key of the S3 server.
	StorageAccessKey string `env:"STORAGE_ACCESS_KEY"`
	// StorageSecretKey is the secret key of the S3 server.
	StorageSecretKey string `env:"STORAGE_SECRET_KEY"`
	// StorageTLS is whether to connect to the S3 server with TLS.
	StorageTLS bool `env:"STORAGE_TLS" envDefault:"true"`
	// StorageFolder is the folder for files, for development.
	StorageFolder string `env:"STORAGE_FOLDER"`

	// StoredFiles is how many MiB of media, uploads and files fetched by link one
	// organisation may store at once; 0 means no limit.
	StoredFiles int `env:"STORED_FILES" envDefault:"10240"`
	// DailyUploads is how many MiB one organisation may upload, or have fetched by
	// link, on one day; 0 means no limit.
	DailyUploads int `env:"DAILY_UPLOADS" envDefault:"10240"`

	// EncryptionKeys are pairs of an id and 32 bytes in base64, comma-separated, for
	// example k1:$(openssl rand -base64 32). The first encrypts, all decrypt.
	EncryptionKeys []string `env:"ENCRYPTION_KEYS"`

	// ChannelWord is the name of the messaging channel in paths and bodies.
	ChannelWord string `env:"CHANNEL_WORD" envDefault:"msgapp"`
	// ChannelAliases are other accepted names. A request with an alias gets a
	// response with the same alias.
	ChannelAliases []string `env:"CHANNEL_ALIASES" envDefault:"whatsapp"`

	// TemplateReviewDelay is how long a message template waits for its review;
	// 0 reviews at once.
	TemplateReviewDelay time.Duration `env:"TEMPLATE_REVIEW_DELAY" envDefault:"0s"`

	// RatePhone is how many messages a second one live number may send; 0 means
	// no limit.
	RatePhone int `env:"RATE_PHONE" envDefault:"80"`
	// RatePair is the time between messages from one live number to one
	// recipient, once a burst of 45 is used up; 0 means no limit.
	RatePair time.Duration `env:"RATE_PAIR" envDefault:"6s"`
	// RateSandboxPhone is how many messages a second one number of a sandbox may send;
	// 0 means no limit.
	RateSandboxPhone int `env:"RATE_SANDBOX_PHONE" envDefault:"0"`
	// RateSandboxPair is the time between messages of a sandbox to one recipient, once a
	// burst of 45 is used up; 0 means no limit.
	RateSandboxPair time.Duration `env:"RATE_SANDBOX_PAIR" envDefault:"0s"`
	// RateManagement is how many requests an hour one organisation may make to
	// manage templates, QR codes and profiles; 0 means no limit.
	RateManagement int `env:"RATE_MANAGEMENT" envDefault:"5000"`
	// RateTemplates is how many templates an hour may be created in one account;
	// 0 means no limit.
	RateTemplates int `env:"RATE_TEMPLATES" envDefault:"100"`
	// RateCatalogue is how many batches an hour one catalogue accepts; 0 means no
	// limit.
	RateCatalogue int `env:"RATE_CATALOGUE" envDefault:"100"`
	// RateSMS is how many requests a second one organisation may make to submit
	// SMS; 0 means no limit.
	RateSMS int `env:"RATE_SMS" envDefault:"100"`
	// RateSandboxSMS is how many requests a second one sandbox may make to submit SMS; 0
	// means no limit.
	RateSandboxSMS int `env:"RATE_SANDBOX_SMS" envDefault:"0"`
	// RateRCSSend is how many requests a second one organisation may make to send
	// RCS messages; 0 means no limit.
	RateRCSSend int `env:"RATE_RCS_SEND" envDefault:"100"`
	// RateRCSManagement is how many other requests a minute one organisation may
	// make to the RCS API; 0 means no limit.
	RateRCSManagement int `env:"RATE_RCS_MANAGEMENT" envDefault:"60"`
	// RateMock is how many requests a second one address may make to the mocks of one
	// web process, ten times as many at once; 0 means no limit.
	RateMock int `env:"RATE_MOCK" envDefault:"20"`
	// RCSOnPremise is whether /mgmt/api/v1 is served.
	RCSOnPremise bool `env:"RCS_ON_PREMISE" envDefault:"true"`
	// RCSReviewAll approves the RCS templates of every organisation automatically,
	// not only of sandboxes.
	RCSReviewAll bool `env:"RCS_REVIEW_ALL" envDefault:"false"`

	// UnverifiedDays is how many days a registration is kept if its code was never
	// entered; 0 keeps it forever.
	UnverifiedDays int `env:"UNVERIFIED_DAYS" envDefault:"7"`

	// AnalyticsZone is the time zone of the days and hours of analytics, such as
	// Asia/Kolkata. Every process needs the same.
	AnalyticsZone string `env:"ANALYTICS_ZONE" envDefault:"UTC"`

	// AllowLoopbackWebhooks allows partners' webhooks on this machine.
	// A development shortcut: production refuses it.
	AllowLoopbackWebhooks bool `env:"ALLOW_LOOPBACK_WEBHOOKS" envDefault:"false"`
	// DeniedNetworks are more networks that must not be dialled, such as the
	// deployment's own public addresses.
	DeniedNetworks []netip.Prefix `env:"DENIED_NETWORKS"`
	// MailNetworks are networks that are not public, with SMTP servers that may be
	// dialled, such as the deployment's own.
	MailNetworks []netip.Prefix `env:"MAIL_NETWORKS"`
	// CarrierNetworks are networks that are not public, with carriers and an HLR
	// provider that may be dialled, such as the deployment's own.
	CarrierNetworks []netip.Prefix `env:"CARRIER_NETWORKS"`
	// HLRURL is the service that is asked about phone numbers; empty answers
	// lookups from the numbering plans alone.
	HLRURL string `env:"HLR_URL"`
	// HLRAPIKey is the key of HLR_URL, sent as a bearer token.
	HLRAPIKey string `env:"HLR_API_KEY"`
	// CarrierLog is a file to which the virtual carrier appends one line per
	// hand-over, for drills. A development shortcut.
	CarrierLog string `env:"CARRIER_LOG"`

	// TracesExporter is otlp or none; empty sends traces if an endpoint is set.
	TracesExporter string `env:"OTEL_TRACES_EXPORTER"`
	// OTLPEndpoint is an OpenTelemetry collector, such as http://10.0.0.7:4318, that
	// takes OTLP over HTTP.
	OTLPEndpoint string `env:"OTEL_EXPORTER_OTLP_ENDPOINT"`
	// OTLPTracesEndpoint is the whole address for traces, in place of
	// OTEL_EXPORTER_OTLP_ENDPOINT.
	OTLPTracesEndpoint string `env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"`
	// OTELDisabled turns traces off.
	OTELDisabled bool `env:"OTEL_SDK_DISABLED" envDefault:"false"`

	// LogLevel is debug, info, warn or error.
	LogLevel string `env:"LOG_LEVEL" envDefault:"info"`
	// LogFormat is json or text.
	LogFormat string `env:"LOG_FORMAT" envDefault:"json"`
}

// Production reports whether the program runs in production mode.
func (c *Config) Production() bool { return c.Environment == "production" }

// Zone is the time zone of analytics. It is UTC for a name that Load would refuse.
func (c *Config) Zone() *time.Location {
	zone, err := time.LoadLocation(c.AnalyticsZone)
	if err != nil || c.AnalyticsZone == "Local" {
		return time.UTC
	}
	return zone
}

// Traces reports whether traces are sent.
func (c *Config) Traces() bool {
	asked := c.TracesExporter == "otlp" || c.TracesExporter == "" && c.OTLPEndpoint+c.OTLPTracesEndpoint != ""
	return asked && !c.OTELDisabled
}

// Needs is the set of settings that a command requires.
type Needs int

// Each of these includes the one before it.
const (
	Nothing    Needs = iota // missing settings are replaced by defaults
	Database                // DATABASE_URL
	Everything              // also encryption keys and file storage
)

// Load parses and checks an environment of KEY=value lines, as os.Environ
// returns it. The error lists all errors, one a line, and contains no secret. In
// production everything is needed.
func Load(environ []string, needs Needs) (*Config, error) {
	c := &Config{}
	values := env.ToMap(environ)
	err := env.ParseWithOptions(c, env.Options{Environment: values})
	faults := parseFaults(err, values)
	faults = append(faults, c.check()...)
	if values["LISTEN"] == "" && c.Port != "" {
		c.Listen = ":" + c.Port
	}
	if c.Production() {
		needs = Everything
		faults = append(faults, c.checkProduction()...)
	}
	faults = append(faults, c.checkNeeds(needs)...)
	if len(faults) > 0 {
		return nil, errors.New("the configuration has errors:\n  " + strings.Join(faults, "\n  "))
	}
	return c, nil
}

// ChannelWords returns the names of the messaging channel, the default first.
func (c *Config) ChannelWords() []string {
	return append([]string{c.ChannelWord}, c.ChannelAliases...)
}
