package webtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/web"
	"heliograph/app/web/page"
	"heliograph/views/ui"
	"heliograph/views/viewtest"
)

// Client is a browser: it keeps cookies and the token of the page it saw last.
type Client struct {
	// Address is the peer of the socket, as host:port.
	Address string
	// Token is the form token that Post sends.
	Token string

	t       testing.TB
	site    *Site
	cookies map[string]string
	header  http.Header
	shown   *shown // shared with browsers that are made from this one
	once    bool   // forms are sent once
}

// Client returns a browser without cookies.
func (s *Site) Client(t testing.TB) *Client {
	header := http.Header{"Sec-Fetch-Site": {"same-origin"}}
	return &Client{Address: "192.0.2.1:4000", t: t, site: s, cookies: map[string]string{}, header: header, shown: &shown{}}
}

// With returns the same browser, that sends a header with every request; an empty value
// removes it.
func (c *Client) With(name, value string) *Client {
	changed := *c
	changed.header = c.header.Clone()
	changed.header.Del(name)
	if value != "" {
		changed.header.Set(name, value)
	}
	return &changed
}

// HX returns the same browser, asking as htmx does for a region of the page: the
// first of at most one, else the main part.
func (c *Client) HX(region ...ui.Region) *Client {
	return c.With("HX-Request", "true").With("HX-Target", string(append(region, ui.Main)[0]))
}

// On returns the same browser with a page open in it, on which htmx runs.
func (c *Client) On(path string) *Client {
	return c.With("HX-Current-URL", c.site.origin.JoinPath("/").String()+strings.TrimPrefix(path, "/"))
}

// Follow does what an answer asks a browser to do: it goes to the address of a
// redirect, of htmx or of HTTP, and answers with the page there. An answer that
// asks for nothing is returned.
func (c *Client) Follow(a *Answer) *Answer {
	c.t.Helper()
	if to := a.Address(); to != "" {
		return c.Get(to)
	}
	return a
}

// Address returns where an answer sends the browser, in any way that browsers and
// htmx understand; empty for nowhere.
func (a *Answer) Address() string {
	var location struct{ Path string }
	if text := a.Header.Get("HX-Location"); text != "" && json.Unmarshal([]byte(text), &location) == nil {
		return location.Path
	}
	return cmp.Or(a.Header.Get("HX-Redirect"), a.Header.Get("Location"))
}

// Answer is what came back.
type Answer struct {
	*goquery.Document // empty where the body is not HTML

	Status  int
	Header  http.Header
	Body    string
	Queries int // that the request made
}

// Get asks for a path. A page is asked for by htmx too; see checkTwin.
func (c *Client) Get(path string) *Answer {
	c.t.Helper()
	answer := c.do(httptest.NewRequest(http.MethodGet, path, nil))
	token := c.Token
	c.checkTwin(path, answer)
	c.Token = token
	return answer
}

// visit asks for a page that the test is not about: it has the form token of the
// browser's session, and few queries.
func (c *Client) visit(path string) {
	c.t.Helper()
	if a := c.do(httptest.NewRequest(http.MethodGet, path, nil)); a.Status != http.StatusOK {
		c.t.Fatalf("%s gives %d", path, a.Status)
	}
}

// Head asks for the headers of a page.
func (c *Client) Head(path string) *Answer {
	c.t.Helper()
	return c.do(httptest.NewRequest(http.MethodHead, path, nil))
}

// Post sends a form, with the token of the page seen last. htmx sends it too; see
// postBoth.
func (c *Client) Post(path string, form url.Values) *Answer {
	c.t.Helper()
	return c.postBoth(path, func(c *Client) *Answer { return c.post(path, form) })
}

func (c *Client) post(path string, form url.Values) *Answer {
	c.t.Helper()
	sent := url.Values{page.TokenField: {c.Token}}
	maps.Copy(sent, form)
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(sent.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return c.do(r)
}

// Send sends a body of any type, without a token.
func (c *Client) Send(method, path, contentType string, body io.Reader) *Answer {
	c.t.Helper()
	r := httptest.NewRequest(method, path, body)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return c.do(r)
}

// Upload sends a form with one file, as Post does.
func (c *Client) Upload(path, field, content string) *Answer {
	c.t.Helper()
	return c.UploadFiles(path, field, [2]string{"file.csv", content})
}

// UploadFiles sends a form with files, each a name and a content, as Post does.
func (c *Client) UploadFiles(path, field string, files ...[2]string) *Answer {
	c.t.Helper()
	return c.UploadForm(path, nil, field, files...)
}

// UploadForm sends a form with fields before its files, as Post does.
func (c *Client) UploadForm(path string, fields url.Values, field string, files ...[2]string) *Answer {
	c.t.Helper()
	return c.postBoth(path, func(c *Client) *Answer { return c.upload(path, fields, field, files) })
}

func (c *Client) upload(path string, fields url.Values, field string, files [][2]string) *Answer {
	c.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if err := w.WriteField(page.TokenField, c.Token); err != nil {
		c.t.Fatal(err)
	}
	for name := range fields {
		if err := w.WriteField(name, fields.Get(name)); err != nil {
			c.t.Fatal(err)
		}
	}
	for _, f := range files {
		file, err := w.CreateFormFile(field, f[0])
		if err != nil {
			c.t.Fatal(err)
		}
		if _, err := io.WriteString(file, f[1]); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		c.t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, path, &body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	return c.do(r)
}

func (c *Client) do(r *http.Request) *Answer {
	c.t.Helper()
	r.Host, r.RemoteAddr = c.site.origin.Host, c.Address
	maps.Copy(r.Header, c.header)
	for name, value := range c.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	before := c.site.counter.n.Load()
	c.site.Server.Handler().ServeHTTP(w, r)
	for _, cookie := range w.Result().Cookies() {
		if cookie.MaxAge < 0 {
			delete(c.cookies, cookie.Name)
		} else {
			c.cookies[cookie.Name] = cookie.Value
		}
	}
	answer := &Answer{Status: w.Code, Header: w.Header(), Body: w.Body.String(), Queries: int(c.site.counter.n.Load() - before)}
	document, err := goquery.NewDocumentFromReader(strings.NewReader(answer.Body))
	if err != nil {
		c.t.Fatal(err)
	}
	answer.Document = document
	for _, finding := range viewtest.Check(document) {
		if kind := w.Header().Get("Content-Type"); strings.HasPrefix(kind, "text/csv") || strings.HasPrefix(kind, "text/plain") {
			break // words of a file, which no browser shows as a page
		}
		if strings.Contains(w.Header().Get("Content-Security-Policy"), "sandbox") {
			break // an email, which cannot have a style sheet of its own file
		}
		c.t.Errorf("%s %s: %s", r.Method, r.URL.Path, finding)
	}
	c.checkRefreshed(r, answer)
	c.shown.see(r, answer)
	if token, ok := document.Find(`input[name="` + page.TokenField + `"]`).Attr("value"); ok {
		c.Token = token
	}
	return answer
}

// checkRefreshed requires that regions refresh themselves from addresses that
// answer GET, also on the page of a refused form, though its own address may not.
func (c *Client) checkRefreshed(r *http.Request, a *Answer) {
	c.t.Helper()
	a.Find(`[id^="refresh-"][hx-get]`).Each(func(_ int, e *goquery.Selection) {
		address, _, _ := strings.Cut(e.AttrOr("hx-get", ""), "?")
		parts := strings.Split(address, "/")
		if !slices.ContainsFunc(c.site.Server.Routes(), func(route web.Route) bool {
			return route.Method == http.MethodGet && matches(strings.Split(route.Path, "/"), parts)
		}) {
			c.t.Errorf("%s %s: a region refreshes itself from %s, which does not answer GET", r.Method, r.URL.Path, address)
		}
	})
}

// Cookie returns the value of a cookie that the browser holds.
func (c *Client) Cookie(name string) string { return c.cookies[name] }

// SetCookie gives the browser a cookie, as one who stole it would.
func (c *Client) SetCookie(name, value string) { c.cookies[name] = value }
