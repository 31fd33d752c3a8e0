package reader_test

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"

	"heliograph/app/documentation/editorial"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db/models"
)

const lampsDocument = `{"openapi":"3.1.0","info":{"title":"Lamps","version":"1"},"servers":[{"url":"https://lamps.example.com/v1"}],
"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"apikey"}}},"security":[{"key":[]}],
"paths":{"/lamps":{"servers":[{"url":"http://localhost:8080/v1"}],"post":{"operationId":"addLamp","summary":"Add a lamp","requestBody":{"content":{"application/json":{"examples":{"bright":{"value":{"kind":"bright"}},"dim":{"value":{"kind":"dim"}}}}}},
"responses":{"200":{"description":"ok"}}}},"/lamps/{id}":{
"get":{"operationId":"getLamp","summary":"Get a lamp","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"},"example":7}],
"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}}}}}},
"delete":{"operationId":"deleteLamp","summary":"Delete a lamp","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer"},"example":7}],"responses":{"204":{"description":"gone"}}}}}}`

// Calls of the mock server need no credential. A browser gets the call to send, and the
// answer that it brings is checked like any other.
func TestCallOfTheMockServer(t *testing.T) {
	t.Parallel()
	u := &upstream{}
	site := newSite(t, u)
	if err := site.Settings.SaveConsole(t.Context(), models.ConsoleSettings{Shown: true}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	c := site.Client(t)
	const path = "/console/lamps/1.0/get-lamp"
	c.Get(path)
	form := func(more ...string) url.Values {
		v := url.Values{"v.path.id": {"7"}, "auth": {"0"}, "server": {"mock"}}
		for i := 0; i < len(more); i += 2 {
			v.Set(more[i], more[i+1])
		}
		return v
	}
	said := func(a *webtest.Answer) string {
		return strings.Join(strings.Fields(a.Find("#console-result").Text()), " ")
	}
	for name, one := range map[string]struct {
		form url.Values
		want string
	}{
		"in this process":       {form(), "200 OK"},
		"as documented":         {form(), "The answer is as documented for 200."},
		"a documented status":   {form("prefer", "code=200"), "Prefer: code=200"},
		"an unknown status":     {form("prefer", "code=201"), "Choose one of the documented answers."},
		"a broken request":      {form("v.path.id", "seven"), "The mock server refuses the call: The request breaks its contract."},
		"an answer":             {form("answer.status", "200", "answer.headers", `[["content-type","application/json"]]`, "answer.body", "eyJpZCI6NX0=", "answer.took", "12.4"), "200 OK12 ms 8 bytes"},
		"a wrong answer":        {form("answer.status", "200", "answer.headers", `[["content-type","application/json"]]`, "answer.body", "e30="), "differs from the contract in 1 place"},
		"no answer in time":     {form("answer.status", "0", "answer.failure", "timeout"), "No answer in time."},
		"a cancelled call":      {form("answer.status", "0", "answer.failure", "cancelled"), "Cancelled."},
		"an invented failure":   {form("answer.status", "0", "answer.failure", "dns"), "The connection broke."},
		"a status that is none": {form("answer.status", "9999"), "The connection broke."},
	} {
		if a := c.Post(path, one.form); !strings.Contains(said(a), one.want) {
			t.Errorf("%s: the result lacks %q: %s", name, one.want, said(a))
		}
	}
	a := c.Post(path, form("direct", "1"))
	call := a.Find("#console-result form").AttrOr("data-call", "")
	for _, want := range []string{`"url":"http://localhost:8080/mock/lamps/1.0/lamps/7"`, `["apikey","\u003cAPI_KEY\u003e"]`, `"fields":{"\u003cAPI_KEY\u003e":"secret.key"}`} {
		if !strings.Contains(call, want) {
			t.Errorf("the call for the browser lacks %s: %s", want, call)
		}
	}
	if len(u.calls) > 0 {
		t.Errorf("calls of the mock server left the process: %v", u.calls)
	}
}

// A reader who is signed in sees the last messages of their own organisation, and each
// opens the form with an example of its kind.
func TestLastMessagesOfTheReader(t *testing.T) {
	t.Parallel()
	site := newSite(t, &upstream{})
	if err := site.Settings.SaveConsole(t.Context(), models.ConsoleSettings{Shown: true}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	member, organisation := site.SignIn(t, 0, identity.Viewer)
	other, _ := site.SignIn(t, 0, identity.Owner)
	for _, kind := range []string{"dim", "unheard"} {
		_, err := site.DB.Exec(t.Context(), `insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload) values ($1, $2, 'messaging', 1, '919812345678', $3, '{"text":"a body"}')`,
			uuid.Must(uuid.NewV7()), organisation, kind)
		if err != nil {
			t.Fatal(err)
		}
	}
	const path = "/console/lamps/1.0/add-lamp"
	list := member.Get(path).Find(".console-recent li")
	if text := strings.Join(strings.Fields(list.Text()), " "); list.Length() != 2 || !strings.Contains(text, "dim to +919812345678") || strings.Contains(text, "a body") {
		t.Fatalf("the member sees %d messages: %s", list.Length(), text)
	}
	if href := list.Last().Find("a").First().AttrOr("href", ""); href != path+"?example=dim" {
		t.Errorf("the message opens %s", href)
	}
	if raw := member.Get(path + "?example=dim").Find("textarea[name=raw]").Text(); !strings.Contains(raw, "dim") {
		t.Errorf("the form has the body %s", raw)
	}
	for name, c := range map[string]*webtest.Client{"another organisation": other, "a stranger": site.Client(t)} {
		if n := c.Get(path).Find(".console-recent").Length(); n != 0 {
			t.Errorf("%s sees messages", name)
		}
	}
	if n := member.Get("/console/lamps/1.0/get-lamp").Find(".console-recent").Length(); n != 0 {
		t.Error("an operation that accepts no messages lists some")
	}
}

// upstream answers calls in the place of a public server.
type upstream struct {
	body   string
	answer func(r *http.Request) *http.Response // in place of the body, where it is set
	calls  []*http.Request
}

func (u *upstream) Send(r *http.Request) (*http.Response, error) {
	u.calls = append(u.calls, r)
	if u.answer != nil {
		return u.answer(r), nil
	}
	header := http.Header{"Content-Type": {"application/json"}, "X-Echo": {r.Header.Get("apikey")}}
	return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(strings.NewReader(u.body))}, nil
}

func newSite(t *testing.T, u *upstream) *webtest.Site {
	t.Helper()
	var refresh func() error
	site := webtest.New(t, func(d *web.Deps) {
		d.Console = u
		d.Accepts = func(method, path string) string {
			return map[string]string{"POST /v1/lamps": "messaging"}[method+" "+path]
		}
		refresh = func() error { return d.Documentation.Refresh(t.Context()) }
	})
	files := fstest.MapFS{
		"products.json": {Data: []byte(`[{"slug":"lamps","product":{"name":"Lamps"},"version":"1.0","label":"Current","document":"d.json"}]`)},
		"d.json":        {Data: []byte(lampsDocument)},
	}
	if err := editorial.Seed(t.Context(), site.DB, files); err != nil {
		t.Fatal(err)
	}
	if err := refresh(); err != nil {
		t.Fatal(err)
	}
	return site
}

func TestConsoleFollowsItsSetting(t *testing.T) {
	t.Parallel()
	site := newSite(t, &upstream{})
	reader, staff := site.Client(t), site.SignInAdmin(t, identity.Viewer)
	const page, form = "/docs/lamps/1.0/get-lamp", "/console/lamps/1.0/get-lamp"
	check := func(shown bool) {
		t.Helper()
		panel := reader.Get(page).Find("#console")
		if _, hidden := panel.Attr("hidden"); panel.Length() != 1 || hidden == shown {
			t.Errorf("shown is %v, and the panel of the page is hidden: %v", shown, hidden)
		}
		want := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[shown]
		for _, path := range []string{"/console", form} {
			if a := reader.Get(path); a.Status != want {
				t.Errorf("shown is %v, and %s answers %d", shown, path, a.Status)
			}
		}
		if a := staff.Get("/admin" + form); a.Status != http.StatusOK || a.Find("#console-call").Length() != 1 {
			t.Errorf("shown is %v, and administrators get %d", shown, a.Status)
		}
	}
	check(false)
	if a := staff.HX("console").Get("/admin" + form); a.Find("#console details").Length() != 1 {
		t.Error("administrators do not get the hidden panel")
	}
	for _, shown := range []bool{true, false} {
		if err := site.Settings.SaveConsole(t.Context(), models.ConsoleSettings{Shown: shown}, "admin:1"); err != nil {
			t.Fatal(err)
		}
		check(shown)
	}
}

func TestCallOfTheConsole(t *testing.T) {
	t.Parallel()
	u := &upstream{body: `{"id":"12345678901234567890"}`}
	site := newSite(t, u)
	if err := site.Settings.SaveConsole(t.Context(), models.ConsoleSettings{Shown: true}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	c := site.Client(t)
	const secret = "planted-credential"
	form := url.Values{"v.path.id": {"7"}, "secret.key": {secret}, "auth": {"0"}}
	c.Get("/console/lamps/1.0/get-lamp")
	a := c.Post("/console/lamps/1.0/get-lamp", form)
	if a.Status != http.StatusOK || len(u.calls) == 0 {
		t.Fatalf("the call answers %d after %d calls", a.Status, len(u.calls))
	}
	if r := u.calls[0]; r.URL.String() != "https://lamps.example.com/v1/lamps/7" || r.Header.Get("apikey") != secret {
		t.Errorf("sent %s with %v", r.URL, r.Header)
	}
	text := a.Find("#console-result").Text()
	for _, want := range []string{"200 OK", "12345678901234567890", "differs from the contract in 1 place", "body.id", "<API_KEY>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the result lacks %q: %s", want, text)
		}
	}
	html, err := a.Find("html").Html()
	if err != nil || strings.Contains(html, secret) || strings.Contains(site.Log.String(), secret) {
		t.Errorf("the credential is in the page or in the log (%v)", err)
	}
	if a := c.Post("/console/lamps/1.0/get-lamp", url.Values{"v.path.id": {".."}}); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("a path of two dots answers %d", a.Status)
	}
	before := len(u.calls)
	if a := c.Post("/console/lamps/1.0/delete-lamp", form); a.Status != http.StatusUnprocessableEntity || len(u.calls) != before {
		t.Errorf("DELETE answers %d without a confirmation", a.Status)
	}
}

// A body that is too long to show as a sample costs no more than its form: 30,000 nested
// objects once took eight seconds of a processor.
func TestLongBodiesHaveNoSample(t *testing.T) {
	t.Parallel()
	site := newSite(t, &upstream{})
	if err := site.Settings.SaveConsole(t.Context(), models.ConsoleSettings{Shown: true}, "admin:1"); err != nil {
		t.Fatal(err)
	}
	c := site.Client(t)
	const path, tooLong = "/console/lamps/1.0/add-lamp", "The body is too long to show as a sample."
	c.Get(path)
	bodyOf := func(members int, value string) string {
		var b strings.Builder
		for i := range members {
			b.WriteString(`,"k` + strconv.Itoa(i) + `":` + value)
		}
		return "{" + strings.TrimPrefix(b.String(), ",") + "}"
	}
	for name, one := range map[string]struct {
		raw     string
		hasCode bool
	}{
		"nested":   {bodyOf(30_000, `{"a":[[[[1]]]]}`), false},
		"flat":     {bodyOf(80_000, "1"), false},
		"deep":     {"[" + strings.TrimPrefix(strings.Repeat(","+strings.Repeat("[", 190)+strings.Repeat("]", 190), 170), ",") + "]", false},
		"a text":   {strings.Repeat("a", 64<<10+1), false},
		"members":  {bodyOf(5_000, "1"), true},
		"brackets": {`{"kind":"` + strings.Repeat(`[{\\\"`, 5_000) + `"}`, true},
		"short":    {`{"kind":"bright"}`, true},
	} {
		began := time.Now()
		a := c.Post(path+"/sample", url.Values{"type": {"application/json"}, "raw": {one.raw}, "auth": {"0"}})
		took := time.Since(began)
		sample := a.Find("#console-sample").Text()
		if a.Status != http.StatusOK || strings.Contains(sample, tooLong) == one.hasCode || a.Find("#console-sample pre").Length() == 1 != one.hasCode {
			t.Errorf("%s: %d with the sample %.200s", name, a.Status, sample)
		}
		if got := a.Find("textarea[name=raw]").Text(); got != one.raw {
			t.Errorf("%s: the form has lost its body: %.100s", name, got)
		}
		if took > 3*time.Second {
			t.Errorf("%s: the sample took %s", name, took)
		}
	}
}
