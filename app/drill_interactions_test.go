//go:build drill && linux

package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	before               int    // lines of our own script that it needed before htmx
}

// interactions lists what readers do, and what members do. Without script before
// htmx, an interaction loaded a whole page.
var interactions = []interaction{
	{"Open another page", endpointPage, ".nav details a", "/docs/business-messaging/3.0/list-products", "main", "links pages swap nav drawer", 177},
	{"Open another product", endpointPage, "#products-menu a", "/docs/sms/1.0", "main", "links pages swap nav drawer", 199},
	{"Read a guide", "/productguide", "main .card a, main li a", "/productguide/business-messaging/send-your-first-message", "main", "links pages swap", 100},
	{"Choose a language of samples", endpointPage, "[data-kept=lang] a", endpointPage + "?lang=go", "samples", "choices", 73},
	{"Choose an example", endpointPage, ".choose", endpointPage + "?example=text", "samples", "choices", 73},
	{"Choose a status", endpointPage, "#answer .tab", endpointPage + "?status=404", "samples", "choices", 73},
	{"Filter the navigation", endpointPage, ".nav-filter", endpointPage + "?filter=template", "nav-groups", "", 0},
	{"Search as one types", endpointPage, "#search form", "/api/search?q=template", "search-found", "search dialog", 242},
	{"Filter results", "/search?q=template", "main form", "/search?q=template&kind=endpoint", "list", "", 0},
	{"Filter messages", "/account/messages", "main form", "/account/messages?state=delivered", "list", "", 0},
	{"Sort a list", "/ui", "#list th a", "/ui?order=asc", "filtered", "", 0},
	{"Show more rows", "/ui", "#more a", "/ui?after=71", "more", "", 0},
	{"Open a row", "/ui", "#open-details-120", "/ui/deliveries/120", "details-120", "dismiss", 0},
	{"Be asked first", "/ui/deliveries/120", ".details .actions a", "/ui/deliveries/120/removal", "confirm-120", "dismiss swap", 0},
	{"Open another page of the account", "/account/messages", "#sections a", "/account/keys", "main", "swap drawer", 0},
	{"Show a form again", "/account/keys", "#form-key", "/account/keys", "form-key", "swap", 0},
	{"See a state change", "/account/messages", "[hx-trigger*='sse:']", "/account/messages", "list", "stream", 25},
}

var update = flag.Bool("update", false, "rewrite the table of the handbook")

// tableFile is where the table stands, and tableHead is its first line.
const (
	tableFile = "operation/help/topics/measuring.md"
	tableHead = "| Interaction | Attributes | Page | Fragment | Lines before | Lines now |\n"
)

// TestInteractionsDrill measures what each interaction takes: the attributes of
// htmx on its element or around it, compressed bytes of the whole page and of the
// part that htmx asks for, and lines of our own script. It holds the table of the
// handbook, where sizes may be a tenth off, and rewrites it with -update.
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
	fmt.Fprint(&table, tableHead, "|---|---|---|---|---|---|\n")
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
		fmt.Fprintf(&table, "| %s | `%s` | %d | %d | %d | %d |\n", in.name, strings.Join(attributesOf(element), "` `"), whole, part, in.before, scriptLines(t, in.script))
	}
	t.Logf("\n%s", table.String())
	holdTable(t, table.String())
}

// holdTable compares the table of the handbook with the one that was measured, or
// rewrites it.
func holdTable(t *testing.T, measured string) {
	t.Helper()
	text, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), tableHead)
	rows, after, found := strings.Cut(rest, "\n\n")
	if !found {
		t.Fatal("the handbook has no table of interactions")
	}
	if *update {
		if err := os.WriteFile(tableFile, []byte(before+measured+"\n"+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	had := strings.Split(tableHead+rows, "\n")
	for i, row := range strings.Split(strings.TrimSpace(measured), "\n") {
		if i >= len(had) || !sameRow(had[i], row) {
			t.Errorf("the handbook differs; run with -update: %s", row)
		}
	}
}

// sameRow reports whether two rows have the same words, and numbers that are at
// most a tenth apart.
func sameRow(a, b string) bool {
	return slices.EqualFunc(strings.Fields(a), strings.Fields(b), func(a, b string) bool {
		m, notM := strconv.Atoi(a)
		n, notN := strconv.Atoi(b)
		return a == b || notM == nil && notN == nil && 10*max(m-n, n-m) <= max(m, n)
	})
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
	if element.Is("body[data-boost] a:not([hx-get])") {
		names = append(names, "hx-boost", "preload") // script adds them
	}
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
