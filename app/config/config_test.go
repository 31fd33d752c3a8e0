package config_test

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"heliograph/app/config"
)

// variables returns each variable of Config with its default.
func variables() map[string]string {
	all := map[string]string{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[config.Config]()) {
		all[field.Tag.Get("env")] = field.Tag.Get("envDefault")
	}
	return all
}

func TestDefaultsAreValid(t *testing.T) {
	t.Parallel()
	c, err := config.Load(nil, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	if c.Production() {
		t.Error("the default is production")
	}
}

const key = "k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

var production = []string{
	"HELIOGRAPH_ENV=production", "PUBLIC_URL=https://docs.example.com/", "DATABASE_URL=postgres://db/heliograph",
	"ENCRYPTION_KEYS=" + key, "STORAGE_ENDPOINT=s3.example.com",
	"STORAGE_ACCESS_KEY=key", "STORAGE_SECRET_KEY=secret",
}

func TestProductionIsAccepted(t *testing.T) {
	t.Parallel()
	c, err := config.Load(production, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Production() || c.PublicURL != "https://docs.example.com" {
		t.Errorf("Production = %v, PublicURL = %q", c.Production(), c.PublicURL)
	}
}

// A platform's PORT counts where LISTEN is unset.
func TestPortOfAPlatform(t *testing.T) {
	t.Parallel()
	for want, environ := range map[string][]string{":8080": nil, ":5000": {"PORT=5000"}, "127.0.0.1:80": {"PORT=5000", "LISTEN=127.0.0.1:80"}} {
		if c, err := config.Load(environ, config.Nothing); err != nil || c.Listen != want {
			t.Errorf("%v gives %+v, %v; want %s", environ, c, err, want)
		}
	}
}

// Each fault is one line that names the variable, what it has unless that is
// a secret, and what to set.
func TestEveryFaultIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		environ []string
		needs   config.Needs
		want    []string
	}{
		"production with nothing": {
			[]string{"HELIOGRAPH_ENV=production"}, config.Nothing,
			[]string{
				`PUBLIC_URL is "http://localhost:8080": it must start with https://`, "DATABASE_URL is missing",
				"ENCRYPTION_KEYS is missing", "STORAGE_ENDPOINT is missing: set it to the host and port of an S3 server",
			},
		},
		"production with shortcuts": {
			append([]string{"STORAGE_FOLDER=/tmp", "ALLOW_LOOPBACK_WEBHOOKS=true", "CARRIER_LOG=/tmp/log"}, production...), config.Nothing,
			[]string{"STORAGE_FOLDER is a development", "ALLOW_LOOPBACK_WEBHOOKS is a development", "CARRIER_LOG is a development"},
		},
		"nothing where everything is needed": {nil, config.Everything, []string{"DATABASE_URL is missing", "ENCRYPTION_KEYS is missing", "or set STORAGE_FOLDER instead"}},
		"nothing where a database is needed": {nil, config.Database, []string{"DATABASE_URL is missing"}},
		"malformed": {
			[]string{
				"HELIOGRAPH_ENV=staging", "PUBLIC_URL=docs", "LOG_LEVEL=loud", "LOG_FORMAT=xml", "CHANNEL_WORD=Msg App", "CHANNEL_ALIASES=a,B",
				"LISTEN=8080", "PORT=http", "OPS_LISTEN=:http", "STORAGE_ENDPOINT=https://s3.example.com",
			}, config.Nothing,
			[]string{
				`HELIOGRAPH_ENV is "staging": set it to development or production`, `PUBLIC_URL is "docs"`,
				`LOG_LEVEL is "loud": set it to debug, info, warn or error`, `LOG_FORMAT is "xml"`, `"Msg App"`, `"B"`,
				`LISTEN is "8080": set it to an address and a port, such as :8080`, `PORT is "http": set it to a number`, `OPS_LISTEN is ":http"`,
				"STORAGE_ENDPOINT is not a host and port", "set STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY too",
			},
		},
		"of another type, beside other faults": {
			[]string{"DRAIN_DELAY=soon", "TRUSTED_PROXIES=10.0.0.0/8,10.0.0.1/99", "STORAGE_TLS=perhaps", "DATABASE_CONNS=many", "RATE_PHONE=1.5", "LOG_LEVEL=loud"}, config.Database,
			[]string{
				`DRAIN_DELAY is "soon": set it to a number with its unit, such as 500ms, 5s or 1h`,
				`TRUSTED_PROXIES is "10.0.0.0/8,10.0.0.1/99": set it to networks`, `STORAGE_TLS is "perhaps": set it to true or false`,
				`DATABASE_CONNS is "many": set it to a whole number, such as 20`, `RATE_PHONE is "1.5": set it to a whole number`,
				"LOG_LEVEL", "DATABASE_URL is missing",
			},
		},
		"negative": {
			[]string{"DATABASE_CONNS=-1", "DRAIN_DELAY=-5s", "RATE_PAIR=-1s", "TEMPLATE_REVIEW_DELAY=-1h"}, config.Nothing,
			[]string{`DATABASE_CONNS is -1: set it to 0 or more`, `DRAIN_DELAY is -5s`, `RATE_PAIR is -1s`, `TEMPLATE_REVIEW_DELAY is -1h`},
		},
		"secrets": {
			[]string{"DATABASE_URL=mysql://asha:hunter2@db/x", "ENCRYPTION_KEYS=k1:hunter2", "STORAGE_ENDPOINT=key:hunter2@s3", "STORAGE_SECRET_KEY=hunter2"}, config.Everything,
			[]string{"DATABASE_URL is invalid: set it to postgres://", "ENCRYPTION_KEYS cannot be used: encryption key 1", "STORAGE_ENDPOINT is not", "set STORAGE_ACCESS_KEY and"},
		},
		"a database whose password is not encoded": {[]string{"DATABASE_URL=postgres://asha:hunter2 %x@db/x"}, config.Nothing, []string{"percent-encoded"}},
		"one key twice": {[]string{"ENCRYPTION_KEYS=" + key + "," + key}, config.Nothing, []string{`encryption key id "k1" is used twice`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := config.Load(c.environ, c.needs)
			if err == nil {
				t.Fatal("accepted")
			}
			faults := strings.Split(err.Error(), "\n")[1:]
			if len(faults) != len(c.want) {
				t.Errorf("%d faults, want %d:\n%v", len(faults), len(c.want), err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s is not said in:\n%v", want, err)
				}
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("a secret is repeated:\n%v", err)
			}
		})
	}
}

// Compose files and platforms pass on empty values for what is not set.
func TestAnEmptyValueIsNoValue(t *testing.T) {
	t.Parallel()
	var environ []string
	for variable := range variables() {
		environ = append(environ, variable+"=")
	}
	got, err := config.Load(environ, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	want, err := config.Load(nil, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })); diff != "" {
		t.Errorf("empty values change the configuration:\n%s", diff)
	}
}
