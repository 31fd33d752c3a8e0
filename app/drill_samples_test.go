//go:build drill

package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"heliograph/app/documentation/openapi/model"
	spectree "heliograph/app/documentation/openapi/tree"
	"heliograph/app/porttest"
)

// languages say how the samples of a language are run.
var sampleLanguages = []struct {
	slug, file string
	command    []string
}{
	{"curl", "sample.sh", []string{"sh"}},
	{"javascript", "sample.mjs", []string{"node", "--import", "./page.mjs"}},
	{"nodejs", "send.mjs", []string{"node"}},
	{"python", "send.py", []string{"python3"}},
	{"java", "Sample.java", []string{"java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"}}, // they only start the machine faster
	{"php", "send.php", []string{"php"}},
	{"csharp", "Sample.cs", []string{"sh", "-c", `mcs -langversion:7.2 -codepage:utf8 -r:System.Net.Http.dll -main:Start -out:Sample.exe start.cs "$0" && mono Sample.exe`}},
	{"go", "send.go", []string{"go", "run"}},
}

// page is what a browser gives a sample: the address of the page's server and a
// file input.
const page = `import { File } from "node:buffer";
import { readFileSync } from "node:fs";
const { fetch } = globalThis;
globalThis.fetch = (address, options) => fetch(new URL(address, process.env.ORIGIN), options);
const files = process.env.FILES.split(" ").map((name) => new File([readFileSync(name)], name.split("/").pop(), { type: name.endsWith(".png") ? "image/png" : "" }));
globalThis.document = { querySelector: () => ({ files }) };
`

// startCSharp starts the samples in C#, because mcs knows no Main that returns a task.
const startCSharp = `using System.Reflection;
using System.Threading.Tasks;

static class Start
{
    static void Main()
    {
        var main = typeof(Sample).GetMethod("Main", BindingFlags.Static | BindingFlags.NonPublic);
        ((Task)main.Invoke(null, null)).GetAwaiter().GetResult();
    }
}
`

// TestDrillSamples prints for each language how many samples of all served
// operations run, with nothing replaced but the key and the values that their page
// lists, and get the documented answer: a success, or the error that the sample is
// shown for. A call in JavaScript runs in a page as well, as the guide for browsers says.
func TestDrillSamples(t *testing.T) {
	root := t.TempDir()
	rows := make([]string, len(sampleLanguages))
	t.Cleanup(func() { t.Log("\nlanguage     succeed       fail as documented\n" + strings.Join(rows, "")) })
	for i, language := range sampleLanguages {
		t.Run(language.slug, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(language.command[0]); err != nil {
				t.Fatal(err)
			}
			place := filepath.Join(root, language.slug)
			if err := os.Mkdir(place, 0o700); err != nil {
				t.Fatal(err)
			}
			a, stop := startDev(t, filepath.Join(place, ".data")) // of its own, since a number gets few codes an hour
			defer stop(syscall.SIGINT)
			b := newSandbox(t, a.URL, a.Organisation, place)
			if language.slug == "javascript" {
				b.tryInPage(t, a.URL, language.command)
			}
			if err := os.WriteFile(filepath.Join(place, "start.cs"), []byte(startCSharp), 0o600); err != nil {
				t.Fatal(err)
			}
			good, all := map[bool]int{}, map[bool]int{} // by whether an error is documented
			for _, s := range publishedSamples(t, a.URL, language.slug) {
				all[s.status != ""]++
				t.Run(s.String(), func(t *testing.T) {
					if b.trySample(t, s, language.file, language.command); !t.Failed() {
						good[s.status != ""]++
					}
				})
			}
			rows[i] = fmt.Sprintf("%-12s %3d of %3d    %3d of %3d\n", language.slug, good[false], all[false], good[true], all[true])
			t.Log("\n" + rows[i])
		})
	}
}

// trySample runs a sample, which has to get the documented answer.
func (b *sandbox) trySample(t *testing.T, s publishedSample, file string, command []string) {
	t.Helper()
	text := b.fill(t, s)
	out, err := b.run(t, file, text, slices.Concat([]string{"env", "FILES=" + filesOf(s)}, command))
	if s.status != "" {
		if strings.Contains(text, "--output download") { // curl saves the body of an error where it saves a file
			saved, readErr := os.ReadFile(filepath.Join(b.place, "download"))
			if readErr != nil {
				t.Fatal(readErr)
			}
			out += string(saved)
		}
		s.checkFailure(t, out, err)
	} else if err != nil || s.product == "sms" && !printedSuccess.MatchString(out) {
		t.Errorf("%v\n%.600s\n%s", err, out, text)
	}
}

// checkFailure holds what the sample of an error printed against the example that
// its page shows: the program fails, and prints the status and the codes.
func (s publishedSample) checkFailure(t *testing.T, out string, err error) {
	t.Helper()
	answer, readErr := spectree.Read([]byte(s.answer))
	if readErr != nil {
		t.Fatal(readErr)
	}
	exit := (*exec.ExitError)(nil)
	refused := s.status >= "400"
	missing := refused && !strings.Contains(out, s.status)
	for _, code := range (model.Example{Node: answer}).Codes() {
		missing = missing || !strings.Contains(out, code)
	}
	if errors.As(err, &exit) != refused || missing {
		t.Errorf("%v, want the answer %s:\n%s\n%.600s\n%s", err, s.status, s.answer, out, s.text)
	}
}

// printedSuccess matches what the samples of the SMS API print on success.
var printedSuccess = regexp.MustCompile(`["']?code["']?: ?["']?200\b`)

// filesOf names the files that a sample in a browser finds in its input.
func filesOf(s publishedSample) string {
	switch s.endpoint {
	case "upload-media":
		return "invoice-20417.pdf"
	case "submit-bot-for-verification":
		return "screen-1.png screen-2.png logo.png"
	}
	return "path/to/file"
}

// tryInPage makes a call for a page of a sample, as the guide for browsers says, and
// runs it through the small server of that guide: with the right key and a wrong one.
func (b *sandbox) tryInPage(t *testing.T, api string, command []string) {
	t.Helper()
	all := publishedSamples(t, api, "javascript")
	i := slices.IndexFunc(all, func(s publishedSample) bool { return s.endpoint == "send-message" && s.status == "" })
	if i < 0 {
		t.Fatal("no sample sends a message")
	}
	text := b.fill(t, all[i])
	for _, part := range []string{"    apikey: \"" + b.APIKey + "\",\n", api} {
		if !strings.Contains(text, part) {
			t.Fatalf("the sample lacks %q:\n%s", part, text)
		}
		text = strings.ReplaceAll(text, part, "")
	}
	for key, works := range map[string]bool{b.APIKey: true, "wrong-key": false} {
		out, err := b.run(t, "page-sample.mjs", text, slices.Concat([]string{"env", "FILES=path/to/file", "ORIGIN=" + b.serveBrowser(t, api, key)}, command))
		if (err == nil) != works {
			t.Errorf("through the server of the guide: %v\n%s", err, out)
		}
	}
}

// serveBrowser runs the small server of the guide with a key until the test ends,
// and returns its origin.
func (b *sandbox) serveBrowser(t *testing.T, api, key string) string {
	t.Helper()
	guide, err := os.ReadFile("../db/seed/guides/business-messaging/browser.md")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("(?s)```javascript title=\"server.mjs\"\n(.*?)```").FindStringSubmatch(string(guide))
	for name, text := range map[string]string{"server.mjs": code[1], "page.mjs": page, "index.html": "<!doctype html>"} {
		if err := os.WriteFile(filepath.Join(b.place, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	port := porttest.FreePort(t)
	origin := "http://127.0.0.1:" + port
	server := exec.CommandContext(t.Context(), "node", "server.mjs")
	server.Dir = b.place
	server.Env = append(os.Environ(), "API_KEY="+key, "API="+api, "PORT="+port)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill(); server.Wait() }) //nolint:errcheck // it was killed
	b.await(t, func() bool {
		answer, err := http.Get(origin)
		if err == nil {
			answer.Body.Close()
		}
		return err == nil
	})
	return origin
}
