// Package config reads the program's settings from the environment, once, and
// reports every fault at once. The README's table and .env.example are tested
// against this struct.
package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// Config is every setting of the program. Field docs give units; the env tag
// gives the variable and the default.
type Config struct {
	// Environment is development or production. Production refuses
	// development shortcuts and insists on keys and an https public URL.
	Environment string `env:"HELIOGRAPH_ENV" envDefault:"development"`

	// Listen is the address of the web process.
	Listen string `env:"LISTEN" envDefault:":8080"`
	// OpsListen is the address on which a worker serves /livez, /readyz and
	// /metrics; empty serves none.
	OpsListen string `env:"OPS_LISTEN" envDefault:""`
	// PublicURL is where visitors reach the web process, without a path.
	PublicURL string `env:"PUBLIC_URL" envDefault:"http://localhost:8080"`
	// TrustedProxies are the networks whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix `env:"TRUSTED_PROXIES"`
	// MetricsNetworks are the networks that may read /metrics.
	MetricsNetworks []netip.Prefix `env:"METRICS_NETWORKS" envDefault:"127.0.0.0/8,::1/128"`
	// DrainDelay is how long a web process keeps serving after it has told
	// /readyz that it is leaving, so that balancers notice.
	DrainDelay time.Duration `env:"DRAIN_DELAY" envDefault:"0s"`

	// DatabaseURL names the PostgreSQL database, 15 or newer.
	DatabaseURL string `env:"DATABASE_URL"`
	// DatabaseConns bounds the connections of one process; 0 lets each
	// command choose.
	DatabaseConns int32 `env:"DATABASE_CONNS" envDefault:"0"`

	// StorageEndpoint is the S3 server as host:port; empty uses StorageFolder.
	StorageEndpoint  string `env:"STORAGE_ENDPOINT"`
	StorageBucket    string `env:"STORAGE_BUCKET" envDefault:"heliograph"`
	StorageRegion    string `env:"STORAGE_REGION" envDefault:"us-east-1"`
	StorageAccessKey string `env:"STORAGE_ACCESS_KEY"`
	StorageSecretKey string `env:"STORAGE_SECRET_KEY"`
	StorageTLS       bool   `env:"STORAGE_TLS" envDefault:"true"`
	// StorageFolder is the embedded home of files, for development.
	StorageFolder string `env:"STORAGE_FOLDER"`

	// EncryptionKeys are "id:base64 of 32 bytes", comma-separated. The first
	// encrypts, all decrypt.
	EncryptionKeys []string `env:"ENCRYPTION_KEYS"`

	// ChannelWord is the name of the messaging channel in paths and bodies.
	ChannelWord string `env:"CHANNEL_WORD" envDefault:"msgapp"`
	// ChannelAliases are other names that are understood and answered in kind.
	ChannelAliases []string `env:"CHANNEL_ALIASES"`

	// TemplateReviewDelay is how long a message template waits for its review;
	// 0 reviews at once.
	TemplateReviewDelay time.Duration `env:"TEMPLATE_REVIEW_DELAY" envDefault:"0s"`

	// RatePhone is how many messages a second one number may send; 0 is
	// without a limit.
	RatePhone int `env:"RATE_PHONE" envDefault:"0"`
	// RatePair is the time between messages from one number to one recipient,
	// once a burst of 45 is used up; 0 is without a limit.
	RatePair time.Duration `env:"RATE_PAIR" envDefault:"0s"`
	// RateManagement is how many requests an hour one organisation may make to
	// manage templates, QR codes and profiles; 0 is without a limit.
	RateManagement int `env:"RATE_MANAGEMENT" envDefault:"5000"`
	// RateTemplates is how many templates an hour may be made in one account;
	// 0 is without a limit.
	RateTemplates int `env:"RATE_TEMPLATES" envDefault:"100"`
	// RateCatalogue is how many batches an hour one catalogue takes; 0 is
	// without a limit.
	RateCatalogue int `env:"RATE_CATALOGUE" envDefault:"100"`

	// AllowLoopbackWebhooks lets partners' webhooks live on this machine.
	// A development shortcut: production refuses it.
	AllowLoopbackWebhooks bool `env:"ALLOW_LOOPBACK_WEBHOOKS" envDefault:"false"`
	// DeniedNetworks are further networks that nothing here may dial, such as
	// the deployment's own public addresses.
	DeniedNetworks []netip.Prefix `env:"DENIED_NETWORKS"`
	// MailNetworks are networks whose SMTP servers may be dialled though they
	// are not public, such as the deployment's own.
	MailNetworks []netip.Prefix `env:"MAIL_NETWORKS"`
	// CarrierLog is a file to which the virtual carrier appends one line per
	// hand-over, for drills. A development shortcut.
	CarrierLog string `env:"CARRIER_LOG"`

	// LogLevel is debug, info, warn or error.
	LogLevel string `env:"LOG_LEVEL" envDefault:"info"`
	// LogFormat is json or text.
	LogFormat string `env:"LOG_FORMAT" envDefault:"json"`
}

// Production reports whether the program runs in production mode.
func (c *Config) Production() bool { return c.Environment == "production" }

// Load reads and checks the environment given as KEY=value lines, such as
// os.Environ returns. The error names every fault, one a line.
func Load(environ []string) (*Config, error) {
	c := &Config{}
	err := env.ParseWithOptions(c, env.Options{Environment: env.ToMap(environ)})
	faults := flatten(err)
	faults = append(faults, c.check()...)
	if c.Production() {
		faults = append(faults, c.checkProduction()...)
	}
	if len(faults) > 0 {
		return nil, errors.New("the configuration has faults:\n  " + strings.Join(faults, "\n  "))
	}
	return c, nil
}

func flatten(err error) []string {
	if err == nil {
		return nil
	}
	var all env.AggregateError
	if !errors.As(err, &all) {
		return []string{err.Error()}
	}
	faults := make([]string, 0, len(all.Errors))
	for _, e := range all.Errors {
		faults = append(faults, e.Error())
	}
	return faults
}

func (c *Config) check() []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if c.Environment != "development" && c.Environment != "production" {
		fault("HELIOGRAPH_ENV is %q: set it to development or production", c.Environment)
	}
	if u, err := url.Parse(c.PublicURL); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || (u.Path != "" && u.Path != "/") {
		fault("PUBLIC_URL is %q: set it to a scheme and host without a path, such as https://docs.example.com", c.PublicURL)
	}
	c.PublicURL = strings.TrimSuffix(c.PublicURL, "/")
	if !oneOf(c.LogLevel, "debug", "info", "warn", "error") {
		fault("LOG_LEVEL is %q: set it to debug, info, warn or error", c.LogLevel)
	}
	if !oneOf(c.LogFormat, "json", "text") {
		fault("LOG_FORMAT is %q: set it to json or text", c.LogFormat)
	}
	for _, word := range append([]string{c.ChannelWord}, c.ChannelAliases...) {
		if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			fault("CHANNEL_WORD and CHANNEL_ALIASES take lower-case letters only, not %q", word)
		}
	}
	if min(c.RatePhone, c.RateManagement, c.RateTemplates, c.RateCatalogue) < 0 || c.RatePair < 0 {
		fault("RATE_PHONE, RATE_PAIR, RATE_MANAGEMENT, RATE_TEMPLATES and RATE_CATALOGUE cannot be negative: set 0 for no limit")
	}
	if c.TemplateReviewDelay < 0 {
		fault("TEMPLATE_REVIEW_DELAY is %s: set it to 0s or longer", c.TemplateReviewDelay)
	}
	if c.StorageEndpoint != "" && (c.StorageAccessKey == "" || c.StorageSecretKey == "") {
		fault("STORAGE_ENDPOINT is set: set STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY too")
	}
	return faults
}

func (c *Config) checkProduction() []string {
	var faults []string
	fault := func(s string) { faults = append(faults, s) }
	if c.DatabaseURL == "" {
		fault("DATABASE_URL is missing: production needs a PostgreSQL server")
	}
	if len(c.EncryptionKeys) == 0 {
		fault("ENCRYPTION_KEYS is missing: set at least one id:key, for instance k1:$(openssl rand -base64 32)")
	}
	if !strings.HasPrefix(c.PublicURL, "https://") {
		fault("PUBLIC_URL must begin with https:// in production")
	}
	if c.StorageEndpoint == "" {
		fault("STORAGE_ENDPOINT is missing: production keeps files on an S3 server")
	}
	if c.StorageFolder != "" {
		fault("STORAGE_FOLDER is a development shortcut: remove it in production")
	}
	if c.AllowLoopbackWebhooks {
		fault("ALLOW_LOOPBACK_WEBHOOKS is a development shortcut: remove it in production")
	}
	if c.CarrierLog != "" {
		fault("CARRIER_LOG is a development shortcut: remove it in production")
	}
	return faults
}

func oneOf(s string, allowed ...string) bool {
	for _, a := range allowed {
		if s == a {
			return true
		}
	}
	return false
}
