//go:build judge

package reader_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"heliograph/app/web/webtest"
)

// Three programs of others find no error in the exports, as JSON and as YAML.
func TestJudgesAcceptExports(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	folder := t.TempDir()
	var documents, both []string
	for _, v := range []string{"business-messaging/3.0", "sms/1.0", "rcs/1.0", "portal/1.0", "portal/1.1"} {
		for _, form := range []string{".json", ".yaml"} {
			name := filepath.Join(folder, strings.ReplaceAll(v, "/", "-")+form)
			if err := os.WriteFile(name, []byte(c.Get("/openapi/"+v+form).Body), 0o600); err != nil {
				t.Fatal(err)
			}
			if both = append(both, name); form == ".json" {
				documents = append(documents, name)
			}
		}
	}
	rules, err := filepath.Abs("../../../.tools/judges/spectral.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"redocly": append([]string{"lint", "--extends=spec"}, both...), "swagger.mjs": documents,
		"spectral": append([]string{"lint", "--fail-severity=error", "--display-only-failures", "--ruleset", rules}, documents...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out, err := webtest.Judge(t, name, args...).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
