//go:build drill && linux

package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// interaction is something that people do on a page, by the element they do it
// with. It asks for the region of an address.
type interaction struct {
	name, page, selector string
	address, region      string
	script               string // the parts of our own script that it needs
}

// interactions lists what readers do, and what members do.
var interactions = []interaction{
	{"Open another page", endpointPage, ".nav details a", "/docs/business-messaging/3.0/list-products", "main", "pages swap nav drawer"},
	{"Open another product", endpointPage, "#products-menu a", "/docs/sms/1.0", "main", "pages swap nav drawer"},
	{"Read a guide", "/productguide", "main .card a, main li a", "/productguide/business-messaging/send-your-first-message", "main", "pages swap"},
	{"Choose a language of samples", endpointPage, "[data-kept=lang] a", endpointPage + "?lang=go", "samples", "choices"},
	{"Search as one types", endpointPage, "#search form", "/api/search?q=template", "search-found", "search dialog"},
	{"Filter results", "/search?q=template", "main form", "/search?q=template&kind=endpoint", "list", ""},
	{"Filter messages", "/account/messages", "main form", "/account/messages?state=delivered", "list", ""},
	{"Open another page of the account", "/account/messages", "#sections a", "/account/keys", "main", "swap drawer"},
	{"Show a form again", "/account/keys", "#form-key", "/account/keys", "form-key", "swap"},
	{"See a state change", "/account/messages", "[hx-trigger*='sse:']", "/account/messages", "list", "stream"},
}

// TestInteractionsDrill prints what each interaction takes: the attributes of htmx
// on its element or around it, compressed bytes of the whole page and of the part
// that htmx asks for, and lines of our own script.
//
//	go test -tags drill -run InteractionsDrill -v ./app
func TestInteractionsDrill(t *testing.T) {
	f := newFleet(t)
	f.run("seed")
	people, err := createAccess(t.Context(), &platform{pool: f.pool, keyring: f.keyring}, "")
	if err != nil {
		t.Fatal(err)
	}
	web := f.start("web")
	session := f.signIn(t, web, people.Organisation.Email, people.Organisation.Password)
	var table strings.Builder
	fmt.Fprintf(&table, "| interaction | attributes | page | fragment | script |\n|---|---|---|---|---|\n")
	for _, in := range interactions {
		ask := func(address, region string) (int, *goquery.Document) {
			r := f.get(t, web.url+address, session)
			r.Header.Set("Accept-Encoding", "gzip")
			if region != "" {
				r.Header.Set("HX-Request", "true")
				r.Header.Set("HX-Target", region)
			}
			return receive(t, r)
		}
		_, page := ask(in.page, "")
		element := page.Find(in.selector).First()
		if element.Length() != 1 {
			t.Errorf("%s: %s has no %s", in.name, in.page, in.selector)
			continue
		}
		whole, _ := ask(cmp.Or(in.address, in.page), "")
		part, _ := ask(in.address, in.region)
		if strings.HasPrefix(in.address, "/api/") {
			whole, _ = ask(strings.TrimPrefix(in.address, "/api"), "")
		}
		if part >= whole {
			t.Errorf("%s: a fragment of %d bytes for a page of %d", in.name, part, whole)
		}
		fmt.Fprintf(&table, "| %s | %s | %d | %d | %d |\n", in.name, strings.Join(attributesOf(element), " "), whole, part, scriptLines(t, in.script))
	}
	t.Logf("\n%s", table.String())
}

// receive returns the size of an answer on the wire, and what it holds.
func receive(t *testing.T, r *http.Request) (int, *goquery.Document) {
	t.Helper()
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s gives %d: %v", r.URL.Path, res.StatusCode, err)
	}
	size := len(body)
	if res.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if body, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	document, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return size, document
}

// attributesOf names the attributes of htmx that apply to an element.
func attributesOf(element *goquery.Selection) (names []string) {
	for at := element; at.Length() > 0; at = at.Parent() {
		for _, a := range at.Nodes[0].Attr {
			if (strings.HasPrefix(a.Key, "hx-") || a.Key == "preload") && !slices.Contains(names, a.Key) {
				names = append(names, a.Key)
			}
		}
	}
	slices.Sort(names)
	return names
}

// scriptLines returns the number of lines of parts of our own script.
func scriptLines(t *testing.T, parts string) (lines int) {
	t.Helper()
	for part := range strings.FieldsSeq(parts) {
		files, err := filepath.Glob("../static/js/*/" + part + ".js")
		if err != nil || len(files) != 1 {
			t.Fatalf("%s is in %q (%v)", part, files, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(text, []byte("\n"))
	}
	return lines
}
