package operation_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/storage/storagetest"
)

func TestAuditListsAndFilters(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Record(t, site,
		audit.Entry{Actor: "system", Action: "release.publish", Target: "product:3"},
		audit.Entry{Actor: "admin:0", Action: "organisation.deactivate", Target: "organisation:4", Details: map[string]any{
			"before": map[string]any{"status": "active"}, "after": map[string]any{"status": "suspended"}, "reason": "<b>unpaid</b>"}},
	)
	a := c.Get("/admin/audit")
	if diff := cmp.Diff([]string{"organisation.deactivate", "release.publish", "admin.sign_in", "admin.create"}, webtest.Column(a, "What")); diff != "" {
		t.Fatalf("the list (-want +got):\n%s", diff)
	}
	if got := strings.Join(a.Find("td[data-label=Details]").First().Find("li").Map(func(_ int, s *goquery.Selection) string { return s.Text() }), "; "); got != "status: active → suspended; reason: <b>unpaid</b>" {
		t.Errorf("the details are %q", got)
	}
	for query, want := range map[string]int{
		"actor=system":                     2,
		"actor=Super_Admin@example.com":    1,
		"actor=nobody@example.com":         0,
		"action=admin":                     2,
		"action=admin.create":              1,
		"action=adm":                       0,
		"target=organisation":              1,
		"target=organisation:4":            1,
		"target=organisation:":             0,
		"from=2020-01-01&to=2020-01-02":    0,
		"from=2020-01-01":                  4,
		"before=3":                         2,
		"actor=%27%3B+drop+table+messages": 0,
	} {
		a := c.Get("/admin/audit?" + query)
		got := len(webtest.Column(a, "What"))
		if a.Status != 200 || got != want || (want == 0) != (a.Find(".empty").Length() == 1) {
			t.Errorf("%s gives %d and %d entries, want %d", query, a.Status, got, want)
		}
	}
	for _, nonsense := range []string{"before=x", "from=yesterday", "to=2026-13-01"} {
		for _, path := range []string{"/admin/audit", "/admin/audit.csv"} {
			if a := c.Get(path + "?" + nonsense); a.Status != 400 && a.Status != 422 {
				t.Errorf("%s?%s gives %d", path, nonsense, a.Status)
			}
		}
	}
}

func TestAuditPages(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	for i := range 120 {
		webtest.Record(t, site, audit.Entry{Actor: "system", Action: "test.write", Target: fmt.Sprintf("thing:%d", i)})
	}
	var seen []string
	next := "/admin/audit?action=test"
	for page := 0; next != ""; page++ {
		a := c.Get(next)
		seen = append(seen, webtest.Column(a, "To what")...)
		first := a.Find(".paging a:contains('First page')").Length() == 1
		if first != (page > 0) || a.Queries > 6 {
			t.Errorf("page %d: first page offered %t, %d queries", page, first, a.Queries)
		}
		next = a.Find("a[rel=next]").AttrOr("href", "")
	}
	if len(seen) != 120 || seen[0] != "thing:119" || seen[119] != "thing:0" {
		t.Errorf("the pages hold %d entries: %v", len(seen), seen)
	}
}

func TestAuditExport(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Record(t, site,
		audit.Entry{Actor: "=cmd|' /C calc'!A0", Action: "+1", Target: "@sum", Details: map[string]any{"note": "a,\"b\"\nc"}},
		audit.Entry{Actor: "-2", Action: "test.write", Target: "\ttab"},
	)
	a := c.Get("/admin/audit.csv?from=2020-01-01")
	if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/csv") || !strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment;") {
		t.Errorf("the headers are %v", a.Header)
	}
	rows, err := csv.NewReader(strings.NewReader(a.Body)).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	got := [][]string{rows[0][:6], {rows[1][2], rows[1][4]}, {rows[2][2], rows[2][3], rows[2][4], rows[2][5]}}
	want := [][]string{{"seq", "at", "actor", "action", "target", "details"}, {"'-2", "'\ttab"}, {"'=cmd|' /C calc'!A0", "'+1", "'@sum", `{"note": "a,\"b\"\nc"}`}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the file (-want +got):\n%s", diff)
	}
}

func TestAuditSaysWhetherItHolds(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	badge := func() string { return c.Get("/admin/audit").Find(".state-line .badge").Text() }
	if got := badge(); got != "Not verified yetNot anchored yet" {
		t.Errorf("before the first check: %s", got)
	}
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	if err := audit.NewAnchors(site.DB, storagetest.Folder(t), keys, "https://docs.example.com").Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := badge(); got != "Chain holdsAnchored" {
		t.Errorf("after a check: %s", got)
	}
	if note := c.Get("/admin/audit").Find(".state-line").Last().Text(); !strings.Contains(note, "no object lock") {
		t.Errorf("a folder that can lose anchors: %s", note)
	}
	webtest.Exec(t, site, `update audit_anchors set at = at - interval '4 hours'`)
	if _, err := site.DB.Exec(t.Context(), `insert into audit_checks (seq, hash, broken_seq, reason) select seq, hash, 1, 'the entry is missing' from audit_head`); err != nil {
		t.Fatal(err)
	}
	if got := badge(); got != "Chain brokenAnchor overdue" {
		t.Errorf("after tampering: %s", got)
	}
}

// Each role sees the sections that it may open, and the router agrees.
func TestSectionsAreThoseThatTheRoleMayOpen(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	everything := map[string]bool{}
	for _, role := range []string{identity.SuperAdmin, identity.Editor, identity.Viewer} {
		c := site.SignInAdmin(t, role)
		shown := map[string]bool{}
		for _, link := range c.Get("/admin").Find("nav[aria-label=Administration] li a").EachIter() {
			shown[link.AttrOr("href", "")], everything[link.AttrOr("href", "")] = true, true
		}
		for path := range everything {
			a := c.Get(path)
			if want := map[bool]int{true: 200, false: 403}[shown[path]]; a.Status != want {
				t.Errorf("%s at %s gets %d, want %d", role, path, a.Status, want)
			}
			if current := a.Find("nav li a[aria-current=page]").AttrOr("href", ""); shown[path] && current != path {
				t.Errorf("%s marks %s as current", path, current)
			}
		}
	}
	if len(everything) < 2 {
		t.Errorf("only %d sections", len(everything))
	}
}
