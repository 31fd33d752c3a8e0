//go:build judge || drill

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/spectest"
	spectree "heliograph/app/documentation/openapi/tree"
	"heliograph/db/seed"
)

// apis lists the published versions with samples that are run, and their
// documents.
var apis = []struct{ product, version, document string }{
	{"business-messaging", "3.0", "messaging.yaml"}, {"sms", "1.0", "sms.yaml"}, {"rcs", "1.0", "rcs.yaml"}, {"portal", "1.1", "portal.yaml"},
}

// publishedSample is a sample as its page shows it.
type publishedSample struct {
	product, endpoint, operation string
	title                        string // of its request
	text                         string
	status, answer               string // of the error that it shows, "" for others
}

// String names the sample.
func (s publishedSample) String() string { return s.product + " " + s.endpoint + " " + s.title }

// publishedSamples reads the samples of every served operation in a language
// from the pages, in the order of the pages.
func publishedSamples(t *testing.T, origin, language string) (list []publishedSample) {
	t.Helper()
	for _, api := range apis {
		var version struct {
			Endpoints []struct {
				Slug      string
				Operation string `json:"operation_id"`
			}
		}
		if err := json.Unmarshal(fetchPage(t, origin+"/api/catalog/"+api.product+"/"+api.version, ""), &version); err != nil {
			t.Fatal(err)
		}
		for _, e := range version.Endpoints {
			address := origin + "/docs/" + api.product + "/" + api.version + "/" + e.Slug + "?lang=" + language
			doc := fetchDocument(t, address, "")
			if strings.Contains(doc.Find("h1").Text(), "Not served") {
				continue
			}
			before := len(list)
			add := func(doc *goquery.Document, title string) {
				s := publishedSample{product: api.product, endpoint: e.Slug, operation: e.Operation, title: title, text: doc.Find("#calls pre").Text()}
				if status, _, causes := strings.Cut(title, " · "); causes && len(status) == 3 {
					s.status, s.answer = status, doc.Find("#answer pre").Text()
				}
				if s.text != "" {
					list = append(list, s)
				}
			}
			doc.Find("#calls option").Each(func(_ int, o *goquery.Selection) {
				add(fetchDocument(t, address+"&example="+o.AttrOr("value", ""), "samples"), o.Text())
			})
			if doc.Find("#calls option").Length() == 0 {
				add(doc, "")
			}
			if len(list) == before {
				t.Errorf("%s of %s has no sample in %s", e.Slug, api.product, language)
			}
		}
	}
	return list
}

func fetchDocument(t *testing.T, address, part string) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(fetchPage(t, address, part)))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// fetchPage returns a page, or the part of it with an id, as htmx asks for it.
func fetchPage(t *testing.T, address, part string) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if part != "" {
		request.Header.Set("HX-Request", "true")
		request.Header.Set("HX-Target", part)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s answers %d: %v", address, response.StatusCode, err)
	}
	return text
}

// Every request example of every served operation is answered as documented, in
// a sandbox prepared as the guides say: its cURL sample, with nothing replaced but the
// key and the values that the page lists, gets a documented success.
func TestSamplesGetTheDocumentedAnswer(t *testing.T) {
	t.Parallel()
	needPrograms(t, "curl", "sh")
	place := t.TempDir()
	a, stop := startDev(t, filepath.Join(place, ".data"))
	defer stop(syscall.SIGINT)
	b := newSandbox(t, a.URL, a.Organisation, place)
	contracts := map[string]*spectest.Contract{}
	for _, api := range apis {
		text, err := seed.Files.ReadFile(api.document)
		if err != nil {
			t.Fatal(err)
		}
		if contracts[api.product], err = spectest.New(text); err != nil {
			t.Fatal(err)
		}
	}
	all, failed := publishedSamples(t, a.URL, "curl"), 0
	for _, s := range all {
		if s.operation == "callMock" || strings.HasSuffix(s.operation, "Import") {
			continue // the tests of the mock and of imports call them
		}
		text, saved := b.fill(t, s)+" --silent --show-error --dump-header head", "download"
		if !strings.Contains(text, "--output download") {
			text, saved = text+" --output body", "body"
		}
		out, err := b.run(t, "sample.sh", text, []string{"sh"})
		if exit := (*exec.ExitError)(nil); s.status != "" && errors.As(err, &exit) && exit.ExitCode() == failedWithBody {
			err = nil
		}
		body, readErr := os.ReadFile(filepath.Join(place, saved))
		if err != nil || readErr != nil {
			t.Errorf("%s: %v %s\n%s\n%s", s, err, out, body, text)
			continue
		}
		status, header := readHead(t, filepath.Join(place, "head"))
		if err := contracts[s.product].Response(s.operation, status, header, body); err != nil {
			t.Errorf("%s: %v", s, err)
		}
		if s.status != "" {
			failed++
			s.checkError(t, status, body)
			s.checkHref(t, body)
		} else if status/100 != 2 || s.product == "sms" && !smsAccepted.Match(body) {
			t.Errorf("%s answers %d:\n%s\n%s", s, status, body, text)
		}
		if err := os.Remove(filepath.Join(place, saved)); err != nil {
			t.Error(err)
		}
	}
	if len(all)-failed < 130 || failed < 100 {
		t.Errorf("only %d samples of successes and %d of errors were found", len(all)-failed, failed)
	}
}

// errorHref matches the address of an error in an answer.
var errorHref = regexp.MustCompile(`"(?:href|type)": ?"([^"#]+)#([^"]+)"`)

// checkHref follows the address of the error in an answer to its entry.
func (s publishedSample) checkHref(t *testing.T, body []byte) {
	t.Helper()
	match := errorHref.FindSubmatch(body)
	if match == nil {
		t.Errorf("%s: the error has no address: %s", s, body)
		return
	}
	if page := fetchPage(t, string(match[1]), ""); !strings.Contains(string(page), `id="`+string(match[2])+`"`) {
		t.Errorf("%s: %s has no entry %s", s, match[1], match[2])
	}
}

// checkError holds the answer to the sample of an error against the example that
// its page shows: the status and the code.
func (s publishedSample) checkError(t *testing.T, status int, body []byte) {
	t.Helper()
	want, wantErr := spectree.Read([]byte(s.answer))
	got, err := spectree.Read(body)
	if wantErr != nil || err != nil {
		t.Errorf("%s: %v %v\n%s\n%s", s, wantErr, err, s.answer, body)
		return
	}
	wantCodes, codes := model.Example{Node: want}.Codes(), model.Example{Node: got}.Codes()
	if strconv.Itoa(status) != s.status || !slices.Equal(codes, wantCodes) {
		t.Errorf("%s answers %d with %v, want the codes %v:\n%s\n%s", s, status, codes, wantCodes, body, s.text)
	}
}

// failedWithBody is the exit code of curl for an error status.
const failedWithBody = 22

// readHead reads the status and the headers of a response from a file of curl.
func readHead(t *testing.T, name string) (int, http.Header) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\r\n")
	var status int
	if _, err := fmt.Sscanf(lines[0], "HTTP/1.1 %d", &status); err != nil {
		t.Fatalf("%v: %s", err, lines[0])
	}
	header := http.Header{}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		header.Add(name, value)
	}
	return status, header
}

// run runs a program in the sandbox's folder and returns what it printed.
func (b *sandbox) run(t *testing.T, file, text string, command []string) (string, error) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(b.place, file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], slices.Concat(command[1:], []string{file})...)
	cmd.Dir = b.place
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "NO_PROXY=*", "no_proxy=*", "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
