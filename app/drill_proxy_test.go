//go:build drill && linux

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"heliograph/app/outbound"
)

const (
	// leastOfProxy is how many calls the console makes at least for each that nginx hands on.
	leastOfProxy = 0.3
	// proxied is what the public server answers.
	proxied = `{"id":7,"name":"Rex","tags":["a","b"]}`
	// proxyTurn is how long one side is loaded at a time.
	proxyTurn = 4 * time.Second
)

const proxiedDocument = `openapi: 3.1.0
info: {title: Kennel, version: '1'}
servers: [{url: 'http://` + watchedHost + `/v1'}]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      summary: Get a pet
      parameters: [{name: id, in: path, required: true, example: 7, schema: {type: integer}}]
      responses: {'200': {description: OK, content: {application/json: {schema: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}, tags: {type: array, items: {type: string}}}}}}}}
`

// TestConsoleProxyDrill has nginx hand requests on to a public server, and the console
// make the same calls: its guarded client alone, and whole calls from the form to the
// answer that was held against the contract. All are loaded alike, in turns, in a network
// in which a public address is the drill's own.
//
//	go test -tags drill -run ConsoleProxyDrill -v ./app
func TestConsoleProxyDrill(t *testing.T) {
	needPrograms(t, "nginx", "wrk")
	withNetwork(t, []string{watchedHost}, compareProxies)
}

func compareProxies(t *testing.T) {
	_, port, err := net.SplitHostPort(freeAddress())
	if err != nil {
		t.Fatal(err)
	}
	listen := "server { listen 127.0.0.1:" + port + "; location / { "
	startNginx(t, fmt.Sprintf("server { listen %s:80; listen 127.0.0.1:81; location / { default_type application/json; return 200 '%s'; } }", watchedHost, proxied), "81")
	startNginx(t, listen+"proxy_pass http://"+watchedHost+"; } }", port)

	f := newFleet(t)
	f.environ = append(f.environ, "TRUSTED_PROXIES=127.0.0.0/8", "RATE_MOCK=0")
	form := bringKennel(t, f)
	guarded := outbound.NewConsole(nil)
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := http.NewRequestWithContext(r.Context(), r.Method, "http://"+watchedHost+r.URL.Path, nil)
		if err != nil {
			t.Error(err)
			return
		}
		res, err := guarded.Send(out)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer res.Body.Close()
		w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body) // wrk counts what arrives
	}))
	t.Cleanup(bare.Close)

	sides := []struct {
		name   string
		script string
		url    string
	}{
		{"nginx", "", "http://127.0.0.1:" + port + "/v1/pets/7"},
		{"the guarded client", "", bare.URL + "/v1/pets/7"},
		{"whole calls", form.script(t), form.url},
	}
	rates := map[string][]float64{}
	for range 3 {
		for _, side := range sides {
			args := []string{"-t1", "-c16", "-d" + proxyTurn.String()}
			if side.script != "" {
				args = append(args, "-s", side.script)
			}
			out, err := exec.CommandContext(t.Context(), "wrk", append(args, side.url)...).CombinedOutput()
			if err != nil || strings.Contains(string(out), "Non-2xx") {
				t.Fatalf("%s: %v\n%s", side.name, err, out)
			}
			rates[side.name] = append(rates[side.name], number(t, find(t, out, `Requests/sec:\s+([0-9.]+)`)))
		}
	}
	middle := func(name string) float64 { return slices.Sorted(slices.Values(rates[name]))[1] }
	nginx := middle("nginx")
	for _, side := range sides {
		t.Logf("%s: %.0f calls/s, %.2f × nginx (%.0f)", side.name, middle(side.name), middle(side.name)/nginx, rates[side.name])
	}
	if ratio := middle("the guarded client") / nginx; ratio < leastOfProxy {
		t.Errorf("the console's client makes %.2f calls for each of nginx, want %.1f", ratio, leastOfProxy)
	}
	f.checkLogs()
}

// sentForm is the form of a call, as a page sends it that swaps the answer in.
type sentForm struct {
	url, cookie, body string
}

// script has wrk send the form, each time from another network, because each may make
// twenty calls a minute.
func (s sentForm) script(t *testing.T) string {
	t.Helper()
	text := fmt.Sprintf(`local n = 0
local headers = { ["Content-Type"] = "application/x-www-form-urlencoded", ["Cookie"] = %q, ["HX-Request"] = "true", ["HX-Target"] = "console-result", ["Sec-Fetch-Site"] = "same-origin" }
request = function()
	n = (n + 1) %% 60000
	headers["X-Forwarded-For"] = "198." .. (18 + math.floor(n / 65536)) .. "." .. math.floor(n / 256) .. "." .. (n %% 256)
	return wrk.format("POST", nil, headers, %q)
end
`, s.cookie, s.body)
	name := filepath.Join(t.TempDir(), "form.lua")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// bringKennel publishes the document of the public server, shows the console, and returns
// the form of its call, once a call has the documented answer.
func bringKennel(t *testing.T, f *fleet) sentForm {
	t.Helper()
	people, err := createAccess(t.Context(), &platform{pool: f.pool, keyring: f.keyring}, "")
	if err != nil {
		t.Fatal(err)
	}
	web, worker := f.start("web"), f.start("worker")
	admin := newVisitor(t)
	admin.must("signing in", 303, admin.post(web.url+"/admin/login", web.url+"/admin/login", "email", people.Admin.Email, "password", people.Admin.Password))
	admin.must("a document", 303, admin.post(web.url+"/admin/imports/new", web.url+"/admin/imports", "product", "new", "name", "Kennel", "version", "1.0", "text", proxiedDocument))
	waitUntil(t, 2*time.Minute, "the document is read", func() bool { return f.column(`select count(*)::text from imports where state = 'ready'`)[0] == "1" })
	page := web.url + "/admin/imports/" + f.column(`select max(id)::text from imports`)[0]
	admin.must("accepting", 303, admin.post(page, page+"/acceptance", "take", "get-pet"))
	set := web.url + "/admin/drafts_and_reviews/" + f.column(`select max(id)::text from change_sets`)[0]
	admin.must("publishing", 303, admin.post(set, set+"/override", "reason", "A drill"))
	admin.must("showing the console", 303, admin.post(web.url+"/admin/console", web.url+"/admin/console/settings", "shown", "yes"))
	call := web.url + "/console/kennel/1.0/get-pet"
	reader := newVisitor(t)
	waitUntil(t, time.Minute, "the form is there", func() bool { return reader.get(call).status == http.StatusOK })
	worker.end(syscall.SIGTERM)
	token := reader.token(call)
	values := url.Values{"_csrf": {token}, "v.path.id": {"7"}, "server": {"default"}, "example": {""}}
	said := reader.post(call, call, "v.path.id", "7", "server", "default")
	if text := regexp.MustCompile(`\s+`).ReplaceAllString(said.document.Find("#console-result").Text(), " "); said.status != http.StatusOK || !strings.Contains(text, "200 OK") || !strings.Contains(text, "as documented for 200") {
		t.Fatalf("the call answers %s: %.600s", strconv.Itoa(said.status), text)
	}
	at, err := url.Parse(call)
	if err != nil {
		t.Fatal(err)
	}
	var cookies []string
	for _, cookie := range reader.client.Jar.Cookies(at) {
		cookies = append(cookies, cookie.Name+"="+cookie.Value)
	}
	return sentForm{call, strings.Join(cookies, "; "), values.Encode()}
}
