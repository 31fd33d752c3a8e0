package reader_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
)

// An address names a field at any depth. What is not there leads to its nearest
// parent, and the page says so.
func TestFieldIsShown(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	for _, tt := range []struct{ path, field, nearest, says string }{
		{"get-mirror", "response-200.shape:round.frame:brass.alloy", "", ""},
		{"get-mirror", "response-200", "", ""},
		{"get-mirror", "query.detail", "", ""},
		{"get-mirror", "response-200.shape:round.frame:brass.colour.tone", "response-200.shape:round.frame:brass", "is not part of this endpoint. Its nearest parent is"},
		{"get-mirror", "response-200.shape:oval", "response-200.shape", "is not part of this endpoint. Its nearest parent is"},
		{"get-mirror", "query.limit", "query", "is not part of this endpoint. Its nearest parent is"},
		{"get-mirror", "body.to.fax", "", "body.to.fax is not part of this endpoint."},
		{"get-mirror", "<script>", "", "<script> is not part of this endpoint."},
		{"schemas/Mirror", "schema.shape:square.side", "", ""},
		{"schemas/Mirror", "schema.shape:square.corner", "schema.shape:square", "is not part of this schema. Its nearest parent is"},
	} {
		doc := p.page(t, "/docs/mirrors/2.0/"+tt.path+"?field="+strings.NewReplacer("<", "%3C", ">", "%3E").Replace(tt.field))
		note := doc.Find(".lost")
		if tt.says == "" && note.Length() > 0 || tt.says != "" && !strings.Contains(said(note), tt.says) {
			t.Errorf("%s of %s says %q, want %q", tt.field, tt.path, said(note), tt.says)
		}
		shown := tt.field
		if tt.says != "" {
			shown = tt.nearest
			if got := note.Find("a").AttrOr("href", "#"); got != "#"+shown {
				t.Errorf("%s leads to %s, want #%s", tt.field, got, shown)
			}
		}
		if shown == "" {
			continue
		}
		row := doc.Find(`[id="` + shown + `"]`)
		if row.Length() != 1 {
			t.Fatalf("%s: no row %s", tt.path, shown)
		}
		if closed := row.ParentsFiltered("details:not([open])").Length(); closed > 0 {
			t.Errorf("%s is within %d closed disclosures", shown, closed)
		}
	}
	w := p.ask("GET", "/docs/mirrors/2.0/get-mirror?field=body.to", "Cookie", "lang=go")
	if w.Header().Get("Cache-Control") != "public, no-cache" || !strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Cookie") {
		t.Errorf("headers %v", w.Header())
	}
}

// Every named schema that an endpoint uses has a page, to which its fields lead.
func TestSchemas(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	for selector, want := range map[string]string{
		"h1":                                   "Mirror",
		`[id="schema.shape"] > .field-head`:    "shape object required",
		`[id="schema.behind"] > .field-line a`: "Mirror",
		"#endpoints ~ .endpoint-list li":       "GET Get a mirror / mirrors/ {mirror} Reads one mirror.", // its path may break after each slash
		".samples figcaption span":             "",                                                       // no operation has an example of it
		".breadcrumb li:nth-child(4) a":        "Schemas",
		".version-menu li:nth-child(2) a":      "1.0",
	} {
		if got := said(p.page(t, "/docs/mirrors/2.0/schemas/Mirror").Find(selector).First()); got != want {
			t.Errorf("%s says %q, want %q", selector, got, want)
		}
	}
	if got := p.page(t, "/docs/mirrors/2.0").Find("#schemas ~ ul a").AttrOr("href", ""); got != "/docs/mirrors/2.0/schemas/Mirror" {
		t.Errorf("the overview leads to %q", got)
	}
	if got := p.page(t, "/docs/mirrors/2.0/put-mirror").Find(`#body ~ a, [aria-labelledby=body] .field-head > span + a`).AttrOr("href", ""); got != "/docs/mirrors/2.0/schemas/Mirror" {
		t.Errorf("the body leads to %q", got)
	}
	doc := p.parse(t, "/docs/mirrors/2.0/schemas/Lens", http.StatusNotFound)
	if got := said(doc.Find(".lead")); got != "Mirrors 2.0 has no schema of this name." {
		t.Errorf("a schema that is not there: %q", got)
	}
}

// The address decides on the server, then the cookie; samples and the request
// line follow, and links to languages keep it.
func TestServerIsChosen(t *testing.T) {
	t.Parallel()
	p := mirrors(t)
	const path = "/docs/mirrors/2.0/get-mirror"
	for _, tt := range []struct{ query, cookie, want string }{
		{"", "", origin + "/mirrors"},
		{"?server=elsewhere", "", "https://mirrors.example.com"},
		{"", "server=elsewhere", "https://mirrors.example.com"},
		{"?server=mirrors", "server=elsewhere", origin + "/mirrors"},
		{"?server=nowhere", "server=elsewhere", "https://mirrors.example.com"},
		{"?server=nowhere", "server=nor-here", origin + "/mirrors"},
	} {
		w := p.ask("GET", path+tt.query, "Cookie", tt.cookie)
		doc, err := goquery.NewDocumentFromReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got := doc.Find(".request-line .server").Text(); got != tt.want {
			t.Errorf("%s with %q: the request goes to %q, want %q", tt.query, tt.cookie, got, tt.want)
		}
		if got := doc.Find("#calls pre").Text(); !strings.Contains(got, tt.want+"/mirrors/") {
			t.Errorf("%s with %q: the call is %q", tt.query, tt.cookie, got)
		}
		python := doc.Find("[data-kept=lang] a").Eq(3).AttrOr("href", "")
		if want := "?lang=python&server=" + strings.TrimPrefix(doc.Find("[data-kept=server] [aria-current]").AttrOr("href", ""), "?lang=curl&server="); python != want {
			t.Errorf("%s with %q: Python is at %q, want %q", tt.query, tt.cookie, python, want)
		}
	}
}

// A switch of versions stays on the endpoint though it was renamed or moved.
func TestTwins(t *testing.T) {
	t.Parallel()
	p := publish(t)
	const head = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{`
	const ok = `"responses":{"200":{"description":"ok"}}}}`
	release := func(version, label, sunset, document string) {
		p.release(t, editorial.Import{ProductSlug: "post", Product: content.Product{Name: "Post", Summary: "Letters carried."},
			VersionSlug: version, Version: content.Version{Label: label, SunsetOn: sunset}}, document)
	}
	release("1.0", "Retired", "2026-03-31", head+
		`"/v1/letters/{id}":{"get":{"operationId":"readLetter","summary":"Read a letter",`+ok+
		`,"/v1/parcels":{"post":{"operationId":"post","summary":"Post a parcel",`+ok+
		`,"/v1/telegrams":{"post":{"operationId":"wire","summary":"Wire",`+ok+`}}`)
	release("2.0", "Current", "", head+
		`"/v2/letters/{letter}":{"get":{"operationId":"getLetter","summary":"Get a letter",`+ok+
		`,"/v2/shipments":{"post":{"operationId":"post","summary":"Send a shipment",`+ok+`}}`)
	for _, tt := range []struct{ from, twin, notice string }{
		{"read-letter", "/docs/post/2.0/get-letter", "Version 1.0 is retired. It stopped answering on 31 March 2026. Move to version 2.0"},
		{"post", "/docs/post/2.0/post", "Version 1.0 is retired. It stopped answering on 31 March 2026. Move to version 2.0"},
		{"wire", "/docs/post/2.0", "Version 1.0 is retired. It stopped answering on 31 March 2026. Version 2.0 does not have this endpoint. Move to version 2.0"},
	} {
		doc := p.page(t, "/docs/post/1.0/"+tt.from)
		if doc.Find("[data-kept=server]").Length() > 0 {
			t.Error("there is no choice of servers")
		}
		if got := said(doc.Find(".notice")); got != tt.notice {
			t.Errorf("%s: %q, want %q", tt.from, got, tt.notice)
		}
		gone := !strings.Contains(strings.TrimPrefix(tt.twin, "/docs/post/2.0"), "/")
		canonical := origin + tt.twin
		if gone {
			canonical = origin + "/docs/post/1.0/" + tt.from
		}
		if got := doc.Find("link[rel=canonical]").AttrOr("href", ""); got != canonical {
			t.Errorf("%s is canonical at %q, want %q", tt.from, got, canonical)
		}
		other := tt.twin
		if gone { // the menu leads to its removal
			other = "/docs/post/compare?from=1.0&to=2.0#op-" + tt.from
		}
		for selector, want := range map[string]string{".notice a": tt.twin, ".version-menu li:first-child a": other} {
			if got := doc.Find(selector).AttrOr("href", ""); got != want {
				t.Errorf("%s: %s leads to %q, want %q", tt.from, selector, got, want)
			}
		}
		if got := doc.Find(".version-menu li:first-child small").Length() == 1; got != gone {
			t.Errorf("%s: the switch says that the endpoint is gone: %t", tt.from, got)
		}
	}
}
