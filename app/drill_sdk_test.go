//go:build drill

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// The quick start of every client library runs as its page says, with nothing replaced
// but the credentials and the ids of the reader.
func TestDrillSDKQuickStarts(t *testing.T) {
	needPrograms(t, "curl", "unzip", "sh")
	a, stop := startDev(t, filepath.Join(t.TempDir(), ".data"))
	defer stop(syscall.SIGINT)
	values := regexp.MustCompile(`'<[^>]*>'`)
	for _, api := range apis {
		for language, needs := range map[string]string{"node": "node", "python": "python3", "java": "javac", "php": "php", "csharp": "mcs", "go": "go"} {
			t.Run(api.product+"/"+language, func(t *testing.T) {
				needPrograms(t, needs)
				var download, run string
				for range 60 { // workers build the archives meanwhile
					page := fetchDocument(t, a.URL+"/sdk/"+api.product+"/"+api.version, "")
					page.Find("#" + language + " figure").Each(func(_ int, block *goquery.Selection) {
						switch block.Find("figcaption span").Text() {
						case "Download":
							download = block.Find("pre").Text()
						case "Run the example":
							run = block.Find("pre").Text()
						}
					})
					if run != "" {
						break
					}
					time.Sleep(time.Second)
				}
				if download == "" || run == "" {
					t.Fatal("the page does not say how the example runs")
				}
				run = values.ReplaceAllString(run, "'"+a.Organisation.APIKey+"'")
				// This machine has mono instead of .NET, which compiles and runs the same files.
				run = strings.Replace(run, "dotnet run --project examples", "mcs -langversion:7.2 -r:System.Net.Http.dll -out:Quickstart.exe $(find . -name '*.cs') && mono Quickstart.exe", 1)
				place := t.TempDir()
				fetch := exec.CommandContext(t.Context(), "sh", "-ec", download)
				fetch.Dir = place
				if out, err := fetch.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", download, err, out)
				}
				example, err := filepath.Glob(filepath.Join(place, "*", "examples", "*uickstart*"))
				if err != nil || len(example) == 0 {
					t.Fatal("the archive has no example", err)
				}
				for _, name := range example {
					if info, err := os.Stat(name); err == nil && info.IsDir() {
						name = filepath.Join(name, "main.go")
					}
					text, err := os.ReadFile(name)
					if err != nil {
						t.Fatal(err)
					}
					text = []byte(strings.ReplaceAll(string(text), "1093847561029384", a.Organisation.PhoneNumberID))
					if err := os.WriteFile(name, text, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				cmd := exec.CommandContext(t.Context(), "sh", "-ec", run)
				cmd.Dir = place
				cmd.Env = append(os.Environ(), "GOWORK=off")
				out, err := cmd.CombinedOutput()
				if err != nil || !strings.Contains(string(out), map[string]string{"business-messaging": "data", "sms": "req_time", "rcs": "SUCCESS", "portal": "business-messaging"}[api.product]) {
					t.Errorf("%s: %v\n%.2000s", run, err, out)
				}
			})
		}
	}
}
