package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"heliograph/app/web"
	"heliograph/app/web/page"
	"heliograph/app/web/webtest"
)

// bound says what a stranger can take of the process with one request to a route, before
// the caller is known.
type bound struct {
	bytes int64  // of the body that are read
	work  string // what is computed, and what bounds it
}

const form = "the form is parsed in the turn of its address: at most 64 KiB are held while it is"

// bounds lists every route that reads a body before it knows the caller. Routes of
// signed-in users read page.StrangersBody at most until then, and APIs with a key in a
// header nothing.
var bounds = map[string]bound{
	"mcp":                 {64 << 10, "JSON of at most 64 KiB and 10 messages; in the turn of its address; 60 that count a minute from an address"},
	"contact":             {64 << 10, form + "; 5 enquiries an hour from an address"},
	"contact.confirm":     {64 << 10, form},
	"copied":              {1 << 10, "a form of one short field"},
	"feedback":            {64 << 10, form + "; 20 answers an hour from an address"},
	"login":               {64 << 10, form + "; one password hash, as many at once as processors; 30 in 15 minutes from an address"},
	"register":            {64 << 10, form + "; one password hash, 5 an hour from an address"},
	"register.verify":     {64 << 10, form + "; 20 guesses an hour from an address"},
	"register.resend":     {64 << 10, form + "; the limits of codes"},
	"forgot":              {64 << 10, form + "; 10 an hour from an address"},
	"forgot.reset":        {64 << 10, form + "; one password hash, 20 guesses an hour from an address"},
	"forgot.resend":       {64 << 10, form + "; the limits of codes"},
	"reset_link":          {64 << 10, form + "; one password hash, 20 an hour from an address"},
	"account.invitation":  {64 << 10, form + "; one password hash, 20 in 15 minutes from an address"},
	"admin.login":         {64 << 10, form + "; one password hash, as many at once as processors; 30 in 15 minutes from an address"},
	"admin.forgot":        {64 << 10, form + "; 10 an hour from an address"},
	"admin.reset":         {64 << 10, form + "; one password hash, 20 an hour from an address"},
	"console":             {4<<20 + 64<<10, "a form with files; only while readers see the console, 20 calls a minute from a network, 10 s each"},
	"console.sample":      {4<<20 + 64<<10, "a form without effect; only while readers see the console, samples of at most 64 KiB, 240 a minute from a network"},
	"simulator.messaging": {250<<10 + 16<<10, "a form without effect; 300 a minute from an address"},
	"simulator.rcs":       {250<<10 + 16<<10, "a form without effect; 300 a minute from an address"},
	"simulator.sms":       {250<<10 + 16<<10, "a form without effect; 300 a minute from an address"},
	// The gallery of components exists in development only.
	"ui.advance": {64 << 10, form}, "ui.note": {64 << 10, form}, "ui.note.elsewhere": {64 << 10, form}, "ui.removal": {64 << 10, form},
}

// Every route that reads before it knows the caller is listed with its bound, and the
// bound is the one of the route.
func TestStrangersAreBounded(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	seen := map[string]bool{}
	for _, r := range site.Server.Routes() {
		stranger := r.Access == web.Public || r.Access == web.Visitor || r.Access == web.AdminVisitor
		if !stranger || r.Method == http.MethodGet {
			continue
		}
		b, ok := bounds[r.Name]
		limit := r.BodyLimit
		if limit == 0 {
			limit = 64 << 10
		}
		if seen[r.Name] = true; !ok || limit != b.bytes || b.work == "" {
			t.Errorf("%s %s (%s) reads %d bytes of strangers, listed are %d", r.Method, r.Path, r.Name, limit, b.bytes)
		}
	}
	for name := range bounds {
		if !seen[name] {
			t.Errorf("%s is listed and no route", name)
		}
	}
}

// A stranger's form for a page of users is not read where it is large.
func TestLargeFormsOfStrangersAreNotRead(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	read := &countingBody{left: 4 << 20}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/admin/products", read)
	r.ContentLength = read.left
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	site.Server.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusUnauthorized || read.read > page.StrangersBody {
		t.Errorf("%d after %d bytes", w.Code, read.read)
	}
}

// countingBody counts what is read of a form without end.
type countingBody struct{ left, read int64 }

func (b *countingBody) Read(p []byte) (int, error) {
	n := copy(p, strings.Repeat("a", len(p)))
	b.read += int64(n)
	return n, nil
}
