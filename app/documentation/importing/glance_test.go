package importing

import (
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/corpus"
)

// A document names its product and version where nobody does.
func TestGlance(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Target{
		"openapi: 3.1.0\ninfo:\n  title: 'Pets: all'\n  contact:\n    title: not this\n  version: 2.55.1\npaths: {}\n":               {ProductName: "Pets: all", ProductSlug: "pets-all", VersionSlug: "2.0"},
		"swagger: '2.0'\r\ninfo: {title: Pets, version: '1'}\r\nhost: a\r\n":                                                         {ProductName: "Pets", ProductSlug: "pets", VersionSlug: "1"},
		"info:\n  # about\n  title: Pets # short\n  version: v3\n":                                                                   {ProductName: "Pets", ProductSlug: "pets", VersionSlug: "v3"},
		"paths:\n  /a:\n    title: no\ninfo:\n  title: |\n    Long\n":                                                                {},
		`{"paths":{"/info":{"info":{"title":"no"}},"info":["x"]},"info":{"contact":{"name":"no"},"title":"Pets","version":"0.3.7"}}`: {ProductName: "Pets", ProductSlug: "pets", VersionSlug: "0.3.7"},
		`{"info":{"name":"Calls","schema":"https://schema.getpostman.com/"},"item":[`:                                                {ProductName: "Calls", ProductSlug: "calls", VersionSlug: "1.0"},
		`{"info":{"title":7,"version":1.5}}`:                                                                                         {},
		"{":                                                                                                                          {}, "": {}, "PK\x03\x04": {}, "}": {}, "info:": {},
		"info: {title: A\tB, version: latest!}":                {ProductName: "A B", ProductSlug: "a-b", VersionSlug: "1.0"},
		"info:\n  title: " + strings.Repeat("ab ", 100) + "\n": {ProductName: strings.Repeat("ab ", 33) + "a", ProductSlug: strings.Repeat("ab-", 26) + "ab", VersionSlug: "1.0"},
	} {
		var got Target
		if got.name([]byte(text)); got != want {
			t.Errorf("%.60q is named %+v, want %+v", text, got, want)
		}
	}
	given := Target{ProductName: "Mine", ProductSlug: "mine", VersionSlug: "7"}
	if given.name([]byte("info: {title: Theirs, version: '8'}")); given.ProductName != "Mine" || given.VersionSlug != "7" {
		t.Errorf("what somebody entered became %+v", given)
	}
	for version, want := range map[string]string{"'8'": "8", "2.0": "2.0", "2.55.1": "2.0", "latest": "", "B 2": "", "''": ""} {
		existing := Target{ProductID: 7}
		if existing.name([]byte("info: {title: Theirs, version: " + version + "}")); existing != (Target{ProductID: 7, VersionSlug: want}) {
			t.Errorf("the version %s of a product that exists makes %+v", version, existing)
		}
	}
	entered := Target{ProductID: 7, VersionSlug: "1.0"}
	if entered.name([]byte("info: {version: '8'}")); entered.VersionSlug != "1.0" {
		t.Errorf("the version that somebody entered became %s", entered.VersionSlug)
	}
	for _, d := range corpus.Real(t) {
		var got Target
		if got.name(d.Data); got.ProductName == "" || got.ProductSlug == "" || got.VersionSlug == "" {
			t.Errorf("%s is named %+v", d.Name, got)
		}
	}
}
