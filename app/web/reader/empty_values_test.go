package reader_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
)

// An empty value of an enum is shown, what is not declared is not called open, and the
// text for machines says the same.
func TestEmptyValuesAndOpenCallsAreTold(t *testing.T) {
	t.Parallel()
	p := lenses(t)
	p.release(t, editorial.Import{ProductSlug: "coats", Product: content.Product{Name: "Coats", Summary: "On glass.", Homepage: true}, VersionSlug: "1.0", Version: content.Version{Label: "Current"}},
		lensesHead+`"/a":{"get":{"operationId":"silent","summary":"Say nothing","parameters":[{"name":"grade","in":"query","schema":{"type":"string","enum":["Low",""]}}],"responses":{"200":{"description":"Done"}}}},
		"/b":{"get":{"operationId":"open","summary":"Say open","security":[],"responses":{"200":{"description":"Done"}}}}}}`)
	for path, want := range map[string]struct{ has, lacks string }{
		"/docs/coats/1.0/silent": {"does not say yet how calls authenticate", "Anyone can call it"}, "/docs/coats/1.0/open": {"Anyone can call it", "does not say yet"},
	} {
		text := said(p.page(t, path).Find("main"))
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequest("GET", path+".md", nil))
		for _, form := range []string{text, w.Body.String()} {
			if !strings.Contains(form, want.has) || strings.Contains(form, want.lacks) {
				t.Errorf("%s says %.600s", path, form)
			}
		}
		if strings.HasSuffix(path, "silent") && (p.page(t, path).Find(`main code:contains('""')`).Length() == 0 || !strings.Contains(w.Body.String(), "`\"\"`")) {
			t.Errorf("the empty value is not shown: %.900s", w.Body.String())
		}
	}
}
