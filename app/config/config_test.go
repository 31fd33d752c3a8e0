package config_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

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

func TestExampleHoldsEveryVariableWithItsDefault(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	example := map[string]string{}
	line := regexp.MustCompile(`(?m)^(#?)([A-Z_]+)=(.*)$`)
	for _, match := range line.FindAllStringSubmatch(string(text), -1) {
		if _, twice := example[match[2]]; twice {
			t.Errorf("%s stands twice in .env.example", match[2])
		}
		example[match[2]] = match[3]
		if unset := match[1] == "#"; unset != (match[3] == "") {
			t.Errorf("%q: a variable with a default stands as it is, one without is commented out", match[0])
		}
	}
	if diff := cmp.Diff(variables(), example); diff != "" {
		t.Errorf(".env.example differs from config.Config (-config +example):\n%s", diff)
	}
}

func TestReadmeTableHoldsEveryVariableWithItsDefault(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]string{}
	row := regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| (?:`([^`]*)` )?\\| [^|]+ \\|$")
	for _, match := range row.FindAllStringSubmatch(string(text), -1) {
		table[match[1]] = match[2]
	}
	if diff := cmp.Diff(variables(), table); diff != "" {
		t.Errorf("the README's table differs from config.Config (-config +table):\n%s", diff)
	}
}

func TestDefaultsAreValid(t *testing.T) {
	t.Parallel()
	c, err := config.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Production() {
		t.Error("the default is production")
	}
}

var production = []string{
	"HELIOGRAPH_ENV=production", "PUBLIC_URL=https://docs.example.com/", "DATABASE_URL=postgres://db/heliograph",
	"ENCRYPTION_KEYS=k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "STORAGE_ENDPOINT=s3.example.com",
	"STORAGE_ACCESS_KEY=key", "STORAGE_SECRET_KEY=secret",
}

func TestProductionIsAccepted(t *testing.T) {
	t.Parallel()
	c, err := config.Load(production)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Production() || c.PublicURL != "https://docs.example.com" {
		t.Errorf("Production = %v, PublicURL = %q", c.Production(), c.PublicURL)
	}
}

func TestEveryFaultIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		environ []string
		want    []string
	}{
		"production with nothing": {
			[]string{"HELIOGRAPH_ENV=production"},
			[]string{"DATABASE_URL", "ENCRYPTION_KEYS", "PUBLIC_URL", "STORAGE_ENDPOINT"},
		},
		"production with shortcuts": {
			append([]string{"STORAGE_FOLDER=/tmp", "ALLOW_LOOPBACK_WEBHOOKS=true", "CARRIER_LOG=/tmp/log"}, production...),
			[]string{"STORAGE_FOLDER", "ALLOW_LOOPBACK_WEBHOOKS", "CARRIER_LOG"},
		},
		"malformed": {
			[]string{"HELIOGRAPH_ENV=staging", "PUBLIC_URL=docs", "LOG_LEVEL=loud", "LOG_FORMAT=xml", "CHANNEL_WORD=Msg App", "CHANNEL_ALIASES=a,B", "STORAGE_ENDPOINT=s3"},
			[]string{"HELIOGRAPH_ENV", "PUBLIC_URL", "LOG_LEVEL", "LOG_FORMAT", `"Msg App"`, `"B"`, "STORAGE_ACCESS_KEY"},
		},
		"unreadable": {
			[]string{"DRAIN_DELAY=soon", "TRUSTED_PROXIES=10.0.0.1/99", "STORAGE_TLS=perhaps"},
			[]string{"DrainDelay", "TrustedProxies", "StorageTLS"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := config.Load(c.environ)
			if err == nil {
				t.Fatal("accepted")
			}
			faults := strings.Split(err.Error(), "\n")[1:]
			if len(faults) != len(c.want) {
				t.Errorf("%d faults, want %d:\n%v", len(faults), len(c.want), err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s is not named in:\n%v", want, err)
				}
			}
		})
	}
}

// The compose file may set nothing that the program does not read, and must
// satisfy the program's own check.
func TestComposeSetsWhatTheProgramReads(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services map[string]struct {
			Image       string            `yaml:"image"`
			Build       map[string]any    `yaml:"build"`
			Command     []string          `yaml:"command"`
			Environment map[string]string `yaml:"environment"`
			DependsOn   map[string]any    `yaml:"depends_on"`
			Healthcheck map[string]any    `yaml:"healthcheck"`
		} `yaml:"services"`
	}
	if err := yaml.Unmarshal(text, &compose); err != nil {
		t.Fatal(err)
	}
	known := variables()
	for _, name := range []string{"postgres", "minio", "mailpit", "migrate", "web", "worker"} {
		service, ok := compose.Services[name]
		if !ok {
			t.Errorf("there is no service %s", name)
			continue
		}
		for dependency := range service.DependsOn {
			if _, ok := compose.Services[dependency]; !ok {
				t.Errorf("%s depends on %s, which is not there", name, dependency)
			}
		}
		if len(service.Command) == 0 || service.Command[0] != name {
			continue // not ours
		}
		environ := make([]string, 0, len(service.Environment))
		for variable, value := range service.Environment {
			if _, ok := known[variable]; !ok {
				t.Errorf("%s sets %s, which the program does not read", name, variable)
			}
			environ = append(environ, variable+"="+expand(value))
		}
		if _, err := config.Load(environ); err != nil {
			t.Errorf("%s does not start: %v", name, err)
		}
	}
}

// expand replaces ${NAME:-default} by its default and ${NAME:?…} by a key.
func expand(value string) string {
	value = regexp.MustCompile(`\$\{\w+:-([^}]*)\}`).ReplaceAllString(value, "$1")
	return regexp.MustCompile(`\$\{\w+:\?[^}]*\}`).ReplaceAllString(value, "k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
}
