package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // containers often have none

	"github.com/caarlos0/env/v11"

	"heliograph/app/keyring"
)

// expectedFormats describes the expected format of each type.
var expectedFormats = map[reflect.Type]string{
	reflect.TypeFor[bool]():           "true or false",
	reflect.TypeFor[int]():            "a whole number, such as 100",
	reflect.TypeFor[int32]():          "a whole number, such as 20",
	reflect.TypeFor[time.Duration]():  "a number with its unit, such as 500ms, 5s or 1h",
	reflect.TypeFor[[]netip.Prefix](): "networks with their length, comma-separated and without spaces, such as 10.0.0.0/8,192.0.2.7/32",
}

// parseFaults describes the expected format of each value that cannot be parsed.
// Secrets are always text, which can be parsed, so none is repeated.
func parseFaults(err error, values map[string]string) (faults []string) {
	if err == nil {
		return nil
	}
	var all env.AggregateError
	if !errors.As(err, &all) {
		return []string{err.Error()}
	}
	for _, err := range all.Errors {
		var parse env.ParseError
		if !errors.As(err, &parse) {
			faults = append(faults, err.Error())
			continue
		}
		field, _ := reflect.TypeFor[Config]().FieldByName(parse.Name)
		variable := field.Tag.Get("env")
		faults = append(faults, fmt.Sprintf("%s is %q: set it to %s", variable, values[variable], expectedFormats[field.Type]))
	}
	return faults
}

// check returns the errors of the values that are set.
func (c *Config) check() []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if _, err := time.LoadLocation(c.AnalyticsZone); err != nil || c.AnalyticsZone == "Local" {
		fault("ANALYTICS_ZONE is %q: set it to a name such as UTC or Asia/Kolkata", c.AnalyticsZone)
	}
	for _, choice := range []struct {
		variable, value string
		among           []string
	}{
		{"HELIOGRAPH_ENV", c.Environment, []string{"development", "production"}},
		{"LOG_LEVEL", c.LogLevel, []string{"debug", "info", "warn", "error"}},
		{"OTEL_TRACES_EXPORTER", c.TracesExporter, []string{"", "otlp", "none"}},
		{"LOG_FORMAT", c.LogFormat, []string{"json", "text"}},
	} {
		if !slices.Contains(choice.among, choice.value) {
			last := len(choice.among) - 1
			fault("%s is %q: set it to %s or %s", choice.variable, choice.value, strings.Join(choice.among[:last], ", "), choice.among[last])
		}
	}
	c.PublicURL = strings.TrimSuffix(c.PublicURL, "/")
	if u, err := url.Parse(c.PublicURL); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || c.PublicURL != u.Scheme+"://"+u.Host {
		fault("PUBLIC_URL is %q: set it to a scheme and host without a path, such as https://docs.example.com", c.PublicURL)
	}
	for _, word := range append([]string{c.ChannelWord}, c.ChannelAliases...) {
		if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			fault("CHANNEL_WORD and CHANNEL_ALIASES can have lower-case letters only, not %q", word)
		}
	}
	faults = append(faults, c.checkAddresses()...)
	faults = append(faults, c.checkNumbers()...)
	if len(c.EncryptionKeys) > 0 {
		if _, err := keyring.New(c.EncryptionKeys); err != nil {
			fault("ENCRYPTION_KEYS cannot be used: %v", err)
		}
	}
	return faults
}

// checkAddresses checks the addresses to listen on and to connect to. The
// database URL contains a password, so it is not repeated.
func (c *Config) checkAddresses() (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for variable, value := range map[string]string{"LISTEN": c.Listen, "OPS_LISTEN": c.OpsListen} {
		if value != "" && !hasPort(value) {
			fault("%s is %q: set it to an address and a port, such as :8080 or 127.0.0.1:8080", variable, value)
		}
	}
	if c.Port != "" && !hasPort(":"+c.Port) {
		fault("PORT is %q: set it to a number from 1 to 65535, such as 8080", c.Port)
	}
	if !isDatabaseURL(c.DatabaseURL) {
		fault("DATABASE_URL is invalid: set it to postgres://user:password@host:5432/database, with reserved characters of the password percent-encoded")
	}
	if c.StorageEndpoint != "" && strings.ContainsAny(c.StorageEndpoint, "/@ ") {
		fault("STORAGE_ENDPOINT is not a host and port: set it to one without scheme and path, such as s3.example.com:443; STORAGE_TLS chooses between https and http")
	}
	if c.StorageEndpoint != "" && (c.StorageAccessKey == "" || c.StorageSecretKey == "") {
		fault("STORAGE_ENDPOINT is set: set STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY too")
	}
	if u, err := url.Parse(c.HLRURL); err != nil || c.HLRURL != "" && (u.Scheme != "https" && u.Scheme != "http" || u.Host == "") {
		fault("HLR_URL is invalid: set it to a complete address, such as https://hlr.example.com/lookup")
	}
	slices.Sort(faults)
	return faults
}

func hasPort(address string) bool {
	_, port, err := net.SplitHostPort(address)
	number, notANumber := strconv.ParseUint(port, 10, 16)
	return err == nil && notANumber == nil && number <= 65535
}

// isDatabaseURL accepts the formats of the driver: a URL or key=value words.
func isDatabaseURL(text string) bool {
	if text == "" || !strings.Contains(text, "://") && strings.Contains(text, "=") {
		return true
	}
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql")
}

func (c *Config) checkNumbers() (faults []string) {
	for _, n := range []struct {
		variable string
		value    int64
		shown    any
	}{
		{"DATABASE_CONNS", int64(c.DatabaseConns), c.DatabaseConns},
		{"CATALOGUE_MEMORY", int64(c.DocumentationMemory), c.DocumentationMemory},
		{"API_MEMORY", int64(c.APIMemory), c.APIMemory},
		{"API_REQUESTS", int64(c.APIRequests), c.APIRequests},
		{"DRAIN_DELAY", int64(c.DrainDelay), c.DrainDelay},
		{"RATE_PHONE", int64(c.RatePhone), c.RatePhone},
		{"RATE_PAIR", int64(c.RatePair), c.RatePair},
		{"RATE_SANDBOX_PHONE", int64(c.RateSandboxPhone), c.RateSandboxPhone},
		{"RATE_SANDBOX_PAIR", int64(c.RateSandboxPair), c.RateSandboxPair},
		{"RATE_MANAGEMENT", int64(c.RateManagement), c.RateManagement},
		{"RATE_TEMPLATES", int64(c.RateTemplates), c.RateTemplates},
		{"RATE_CATALOGUE", int64(c.RateCatalogue), c.RateCatalogue},
		{"STORED_FILES", int64(c.StoredFiles), c.StoredFiles},
		{"DAILY_UPLOADS", int64(c.DailyUploads), c.DailyUploads},
		{"RATE_SMS", int64(c.RateSMS), c.RateSMS},
		{"RATE_SANDBOX_SMS", int64(c.RateSandboxSMS), c.RateSandboxSMS},
		{"RATE_RCS_SEND", int64(c.RateRCSSend), c.RateRCSSend},
		{"RATE_RCS_MANAGEMENT", int64(c.RateRCSManagement), c.RateRCSManagement},
		{"RATE_MOCK", int64(c.RateMock), c.RateMock},
		{"UNVERIFIED_DAYS", int64(c.UnverifiedDays), c.UnverifiedDays},
		{"TEMPLATE_REVIEW_DELAY", int64(c.TemplateReviewDelay), c.TemplateReviewDelay},
	} {
		if n.value < 0 {
			faults = append(faults, fmt.Sprintf("%s is %v: set it to 0 or more", n.variable, n.shown))
		}
	}
	return faults
}

func (c *Config) checkProduction() (faults []string) {
	if !strings.HasPrefix(c.PublicURL, "https://") {
		faults = append(faults, fmt.Sprintf("PUBLIC_URL is %q: it must start with https:// in production", c.PublicURL))
	}
	for _, shortcut := range []struct {
		variable string
		set      bool
	}{
		{"STORAGE_FOLDER", c.StorageFolder != ""},
		{"ALLOW_LOOPBACK_WEBHOOKS", c.AllowLoopbackWebhooks},
		{"CARRIER_LOG", c.CarrierLog != ""},
	} {
		if shortcut.set {
			faults = append(faults, shortcut.variable+" is a development shortcut: remove it in production")
		}
	}
	return faults
}

func (c *Config) checkNeeds(needs Needs) (faults []string) {
	if needs >= Database && c.DatabaseURL == "" {
		fault := "DATABASE_URL is missing: set it to postgres://user:password@host:5432/database of a PostgreSQL server"
		if !c.Production() {
			fault += ", or use heliograph dev, which starts its own, and --data with its folder for other commands"
		}
		faults = append(faults, fault)
	}
	if needs >= Everything && len(c.EncryptionKeys) == 0 {
		faults = append(faults, "ENCRYPTION_KEYS is missing: set at least one id:key, such as the output of echo k1:$(openssl rand -base64 32)")
	}
	if needs >= Everything && c.StorageEndpoint == "" && (c.Production() || c.StorageFolder == "") {
		fault := "STORAGE_ENDPOINT is missing: set it to the host and port of an S3 server"
		if !c.Production() {
			fault += ", or set STORAGE_FOLDER instead"
		}
		faults = append(faults, fault)
	}
	return faults
}
