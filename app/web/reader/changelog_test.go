package reader_test

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
)

// released publishes lenses 2.0 again, with a breaking change of one endpoint.
func released(t *testing.T) *testPortal {
	t.Helper()
	p := lenses(t)
	product := content.Product{Name: "Lenses", Summary: "Glass.", Homepage: true}
	p.release(t, editorial.Import{ProductSlug: "lenses", Product: product, VersionSlug: "2.0", Version: content.Version{Label: "Current"}},
		lensesHead+`"/lenses/{id}":{"get":{"operationId":"getLens","summary":"Get a lens","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}},
		{"name":"unit","in":"query","required":true,"schema":{"type":"string"}}],"responses":{"200":{"description":"It","content":{"application/json":{"schema":{"type":"object","properties":{"focus":{"type":"integer"}}}}}}}}},
		"/lenses":{"post":{"operationId":"addLens","summary":"Add a lens","requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{"focus":{"type":"integer","maximum":20},"coat":{"type":"string","enum":["none","blue","red"]},"grade":{"type":"object","properties":{"side":{"type":"string"}}}}}}}},"responses":{"200":{"description":"Done"}}}},
		"/frames":{"get":{"operationId":"listFrames","summary":"List frames","responses":{"200":{"description":"All"}}}}}}`)
	return p
}

func TestChangelog(t *testing.T) {
	t.Parallel()
	p := released(t)
	doc := p.page(t, "/docs/lenses/changelog")
	titles := doc.Find("main h2").Map(func(_ int, h *goquery.Selection) string { return h.AttrOr("id", "") + " " + said(h) })
	if got := strings.Join(titles, "; "); got != "release-2.0-2 Version 2.0, release 2; release-2.0-1 Version 2.0 published; release-1.0-1 Version 1.0 published" {
		t.Errorf("entries: %s", got)
	}
	first := said(doc.Find("main section").First())
	for _, want := range []string{"Breaking", "1 changed", "1 breaking", "Get a lens Required parameter added query.unit"} {
		if !strings.Contains(first, want) {
			t.Errorf("the last release does not say %q: %s", want, first)
		}
	}
	if got := doc.Find(`section a[href*="compare?from=1.0&to=2.0"]`).Length(); got == 0 {
		t.Error("the release of a version does not link to its comparison")
	}
	one := p.page(t, "/docs/lenses/changelog?version=2.0&endpoint=get-lens")
	if n := one.Find("main section").Length(); n != 1 && n != 2 {
		t.Errorf("the changelog of one endpoint has %d entries", n)
	}
	for query, want := range map[string]int{"?version=7": http.StatusNotFound, "?endpoint=polish": http.StatusNotFound} {
		if w := p.ask("GET", "/docs/lenses/changelog"+query); w.Code != want {
			t.Errorf("%s answers %d, want %d", query, w.Code, want)
		}
	}
	recent := p.page(t, "/docs/lenses/2.0/get-lens").Find("[aria-labelledby=changes]")
	if got := said(recent); !strings.Contains(got, "Version 2.0, release 2") || !strings.Contains(got, "Breaking") {
		t.Errorf("the page of the endpoint says %q", got)
	}
	href, id, _ := strings.Cut(recent.Find("a").First().AttrOr("href", ""), "#")
	if p.page(t, href).Find(`[id="`+id+`"]`).Length() != 1 {
		t.Errorf("the page of the endpoint links to %s#%s, which is not there", href, id)
	}
}

func TestChangelogFeeds(t *testing.T) {
	t.Parallel()
	p := released(t)
	w := p.ask("GET", "/docs/lenses/changelog.atom")
	var atom struct {
		ID      string `xml:"id"`
		Updated string `xml:"updated"`
		Entry   []struct {
			ID       string `xml:"id"`
			Title    string `xml:"title"`
			Updated  string `xml:"updated"`
			Category []struct {
				Term string `xml:"term,attr"`
			} `xml:"category"`
			Content struct {
				Type string `xml:"type,attr"`
				Text string `xml:",chardata"`
			} `xml:"content"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(w.Body.Bytes(), &atom); err != nil || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/atom+xml") {
		t.Fatalf("%v %v", err, w.Header())
	}
	if len(atom.Entry) != 3 || atom.ID != origin+"/docs/lenses/changelog" || atom.Updated != atom.Entry[0].Updated {
		t.Fatalf("%+v", atom)
	}
	if e := atom.Entry[0]; e.ID != origin+"/docs/lenses/changelog#release-2.0-2" || !strings.HasSuffix(e.Title, "(breaking)") || len(e.Category) != 1 || e.Category[0].Term != "breaking" {
		t.Errorf("%+v", e)
	}
	const told = `<li>Changed, breaking: <a href="` + origin + `/docs/lenses/2.0/get-lens">Get a lens</a>. Required parameter added query.unit</li>`
	if e := atom.Entry[0]; e.Content.Type != "html" || !strings.Contains(e.Content.Text, told) {
		t.Errorf("the first entry of the feed has the content %q", e.Content.Text)
	}
	type items struct {
		Version string
		Items   []struct {
			ID, Title, Summary string
			ContentText        string `json:"content_text"`
			ContentHTML        string `json:"content_html"`
		}
	}
	var whole, feed items
	if err := json.Unmarshal(p.ask("GET", "/docs/lenses/changelog.json").Body.Bytes(), &whole); err != nil || len(whole.Items) != 3 {
		t.Fatalf("%v %+v", err, whole)
	}
	if i := whole.Items[0]; !strings.Contains(i.ContentHTML, told) || !strings.Contains(i.ContentText, "- Changed, breaking: Get a lens. Required parameter added query.unit\n") || !strings.HasPrefix(i.ContentText, i.Summary) {
		t.Errorf("the first item of the feed says %+v", i)
	}
	w = p.ask("GET", "/docs/lenses/changelog.json?version=1.0")
	if err := json.Unmarshal(w.Body.Bytes(), &feed); err != nil || feed.Version != "https://jsonfeed.org/version/1.1" || len(feed.Items) != 1 {
		t.Errorf("%v %s", err, w.Body)
	}
	if etag := w.Header().Get("Etag"); etag == "" || p.ask("GET", "/docs/lenses/changelog.json?version=1.0", "If-None-Match", etag).Code != http.StatusNotModified {
		t.Errorf("the feed is sent again: %v", w.Header())
	}
}

// The reason that somebody gave for a breaking change is read in the changelog
// and in the comparison with an earlier version, in each form.
func TestReasonsOfBreakingChangesAreShown(t *testing.T) {
	t.Parallel()
	p := released(t)
	const reason = "Lenses without a unit were cut wrongly."
	v := p.documentation.Snapshot().Product("lenses").Version("2.0")
	for _, report := range reportsOf(t, v) {
		for _, op := range report.Operations {
			for _, c := range op.Changes {
				if c.Place != "query.unit" || c.Level != compare.Breaking {
					continue
				}
				if _, err := p.pool.Exec(t.Context(), `
					with a as (insert into admin_users (name, email, password_hash, role) values ('Asha', 'asha@example.com', '', 'super_admin')
						on conflict do nothing returning id)
					insert into accepted_changes (version_id, fingerprint, reason, accepted_by, change_set_id)
					select i.id, $1, $2, coalesce((select id from a), (select min(id) from admin_users)), (select min(id) from change_sets)
					from items i join items p on p.id = i.parent_id where i.kind = 'version' and i.slug = '2.0' and p.slug = 'lenses'
					on conflict do nothing`, c.Fingerprint, reason); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	p.restart(t)
	for _, path := range []string{
		"/docs/lenses/changelog", "/docs/lenses/changelog.md", "/docs/lenses/changelog.atom", "/docs/lenses/changelog.json", "/docs/lenses/changelog?endpoint=get-lens",
		"/docs/lenses/compare?from=1.0&to=2.0", "/docs/lenses/compare.md?from=1.0&to=2.0", "/docs/lenses/compare.json?from=1.0&to=2.0",
	} {
		if w := p.ask("GET", path); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), reason) {
			t.Errorf("%s answers %d without the reason", path, w.Code)
		}
	}
}

// reportsOf returns the comparisons that the changelog of a version shows.
func reportsOf(t *testing.T, v *published.Version) (reports []*compare.Report) {
	t.Helper()
	history, err := v.History(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range history {
		if r.Report != nil {
			reports = append(reports, r.Report)
		}
	}
	return reports
}
