package main

import (
	"context"
	"net/http"
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

// call is one published sample to run against this program: those of an
// endpoint page by the name of the request, or the first.
type call struct {
	endpoint, request string
	says              string // what the answer holds
	stands            string // the placeholder that the id of the response replaces
}

// calls need what those before them made, and clean up after themselves.
var calls = []call{
	{"get-user-details", "", "phone", ""},
	{"get-business-account", "", "currency", ""},
	{"list-owned-business-accounts", "", "data", ""},
	{"list-client-business-accounts", "", "data", ""},
	{"get-business-profile", "", "messaging_product", ""},
	{"get-catalogue-id", "", "catlogid", ""},
	{"set-webhook", "", "", ""},
	{"get-webhook", "", "localhost:9", ""},
	{"upload-media", "", "response", "<MEDIA_ID>"},
	{"get-media", "", "application/pdf", ""},
	{"download-media", "", "", ""},
	{"create-template", "", "AUTHENTICATION", "<TEMPLATE_ID>"},
	{"get-template", "", "sign_in_code", ""},
	{"list-templates", "", "sign_in_code", ""},
	{"send-message", "Template with a one-time code", "accepted", ""},
	{"send-message", "Template with text in place of its variables", "accepted", ""},
	{"receive-in-sandbox", "", "", ""},
	{"send-message", "Text", "accepted", ""},
	{"send-message", "Document that was uploaded before", "accepted", ""},
	{"send-message", "Choice from a list", "accepted", ""},
	{"save-qr-code", "New QR code", "deep_link_url", ""},
	{"list-qr-codes", "", "lamps", ""},
	{"batch-catalogue", "Add a product", "handles", ""},
	{"list-products", "", "data", ""},
	{"set-encryption", "Have a pair made", "", ""},
	{"get-private-key", "", "PRIVATE KEY", ""},
	{"create-upload-session", "", "upload:", ""},
	{"delete-media", "", "", ""},
	{"delete-template", "", "", ""},
}

// The samples that readers copy work: each is taken from its page, given a key
// and the ids of an organisation, and run against the program that published
// it.
func TestSamplesRun(t *testing.T) {
	t.Parallel()
	for slug, language := range map[string]struct {
		file    string
		command []string
	}{
		"curl":   {"sample.sh", []string{"sh"}},
		"go":     {"sample.go", []string{"go", "run"}},
		"nodejs": {"sample.mjs", []string{"node"}},
		"python": {"sample.py", []string{"python3"}},
	} {
		t.Run(slug, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(language.command[0]); err != nil && os.Getenv("CI") == "" {
				t.Skip(err)
			}
			place := t.TempDir()
			a, stop := startDev(t, filepath.Join(place, ".data"))
			defer stop(syscall.SIGINT)
			if err := os.WriteFile(filepath.Join(place, "invoice-20417.pdf"), []byte("%PDF-1.4\n%%EOF\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			ids := realIDs(a)
			for _, c := range calls {
				text := strings.NewReplacer(ids...).Replace(published(t, a.URL, slug, c))
				answer := run(t, place, language.file, text, language.command)
				if !strings.Contains(answer, c.says) {
					t.Errorf("%s %s answers %s, want %q in it", c.endpoint, c.request, answer, c.says)
				}
				if c.stands == "" {
					continue
				}
				id := answerID.FindStringSubmatch(answer)
				if id == nil {
					t.Fatalf("%s answers without an id: %s", c.endpoint, answer)
				}
				ids = append(ids, c.stands, id[1])
			}
		})
	}
}

// answerID finds an id in an answer, however a language prints it.
var answerID = regexp.MustCompile(`["']?id["']?: ?["'](\d+)["']`)

// realIDs pairs the placeholders of samples with what the organisation has.
func realIDs(a access) []string {
	o := a.Organisation
	return []string{
		"<API_KEY>", o.APIKey, "https://hooks.example.com", "http://localhost:9", "<PHONE_NUMBER_ID>", o.PhoneNumberID, "<BUSINESS_ID>", o.BusinessID,
		"<BUSINESS_ACCOUNT_ID>", o.BusinessAccountID, "<CATALOG_ID>", o.CatalogueID,
	}
}

// published is the text of a sample on its page.
func published(t *testing.T, origin, language string, c call) string {
	t.Helper()
	response, err := http.Get(origin + "/docs/business-messaging/3.0/" + c.endpoint + "?lang=" + language)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	doc, err := goquery.NewDocumentFromReader(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	shown := doc.Find("#calls")
	if c.request != "" {
		tab := shown.Find("a").FilterFunction(func(_ int, a *goquery.Selection) bool { return strings.TrimSpace(a.Text()) == c.request })
		shown = doc.Find(tab.AttrOr("href", "#none"))
	}
	text := shown.Find("pre").First().Text()
	if text == "" {
		t.Fatalf("%s has no sample %q in %s", c.endpoint, c.request, language)
	}
	return text
}

// run runs a program and returns what it printed.
func run(t *testing.T, place, file, text string, command []string) string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(place, file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], file)...)
	cmd.Dir = place
	cmd.Env = append(os.Environ(), "NO_PROXY=*", "no_proxy=*", "GOFLAGS=", "GOWORK=off")
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Errorf("%v:\n%s%s\n%s", err, out.String(), errs.String(), text)
	}
	return out.String()
}
