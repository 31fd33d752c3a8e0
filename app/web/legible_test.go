package web_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"heliograph/app/web"
	"heliograph/app/web/webtest"
)

// Nothing is at a path with values that are no text, whoever asks.
func TestPathsThatAreNoTextAreMissing(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	value, tried := regexp.MustCompile(`:\w+|\*`), 0
	for _, r := range site.Server.Routes() {
		if r.Access == web.APIKey || r.Access == web.Operator || !value.MatchString(r.Path) {
			continue
		}
		for _, text := range []string{"%00", "a%00b", "%ff", "%E2%82"} {
			path := value.ReplaceAllString(r.Path, text)
			w := httptest.NewRecorder()
			site.Server.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), r.Method, path, nil))
			if tried++; w.Code != http.StatusNotFound {
				t.Errorf("%s %s is answered with %d", r.Method, path, w.Code)
			}
		}
	}
	if tried < 400 {
		t.Errorf("%d paths were tried", tried)
	}
}
