//go:build drill

package sdk

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// checks are the commands that check the library of a language without a warning, with
// the oldest version of the language that its README names. $TOOLS has the programs of
// .tools.
var checks = map[string]struct {
	needs    string
	commands []string
}{
	"node": {"node", []string{
		"for f in $(find . -name '*js'); do node --check $f; done",
		`"$TOOLS/tsc" --strict --noEmit --target es2022 --lib es2022,dom,dom.asynciterable --module nodenext --skipLibCheck false --types '' index.d.ts`,
	}},
	"python": {"python3", []string{
		"python3 -W error -m compileall -q .",
		`"$TOOLS/pyright" --pythonversion 3.9 --warnings . | grep -v '^0 errors, 0 warnings'; true`,
	}},
	"java":   {"javac", toolchains["java"].build},
	"php":    {"php", toolchains["php"].build},
	"csharp": {"mcs", []string{"mcs -langversion:7.2 -codepage:utf8 -warnaserror -r:System.Net.Http.dll -out:Quickstart.exe $(find . -name '*.cs')"}},
	"go":     {"go", []string{"go vet ./..."}},
}

// The libraries of our contracts and of real documents compile without a warning.
// SDK_ONLY names one document.
func TestDrillSDKTypes(t *testing.T) {
	tools, err := filepath.Abs("../../../.tools/node_modules/.bin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(tools, "pyright")); err != nil {
		t.Fatal("npm ci --prefix .tools installs tsc and pyright")
	}
	t.Setenv("TOOLS", tools)
	for _, d := range documents(t) {
		if only := os.Getenv("SDK_ONLY"); only != "" && d.Name != only {
			continue
		}
		api := readAPI(t, d)
		for _, l := range Languages {
			t.Run(d.Name+"/"+l.Slug, func(t *testing.T) {
				check := checks[l.Slug]
				if _, err := exec.LookPath(check.needs); err != nil {
					t.Skip(check.needs + " is not installed")
				}
				list, err := archiveFiles(api, l)
				if err != nil {
					t.Fatal(err)
				}
				dir := t.TempDir()
				if l.Slug == "java" {
					list = append(list, File{"Driver.java", []byte("final class Driver {}\n")})
				}
				writeFiles(t, dir, list)
				for _, command := range check.commands {
					if out, err := shellIn(t, dir, command); err != nil || out != "" {
						t.Fatalf("%s: %v\n%.3000s", command, err, out)
					}
				}
			})
		}
	}
}

// Libraries of hostile contracts compile in the languages that only a compiler reads.
func TestDrillSDKHostile(t *testing.T) {
	for _, language := range []string{"java", "csharp", "go"} {
		check := checks[language]
		if _, err := exec.LookPath(check.needs); err != nil {
			t.Skip(check.needs + " is not installed")
		}
		for i, d := range hostileContracts() {
			t.Run(language+"/"+strconv.Itoa(i), func(t *testing.T) {
				list, err := archiveFiles(readAPI(t, d), Find(language))
				if err != nil {
					t.Fatal(err)
				}
				dir := t.TempDir()
				writeFiles(t, dir, append(list, File{"Driver.java", []byte("final class Driver {}\n")}))
				for _, command := range check.commands {
					if out, err := shellIn(t, dir, command); err != nil || out != "" {
						t.Fatalf("%s: %v\n%.2000s", command, err, out)
					}
				}
			})
		}
	}
}
