//go:build drill && linux

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// planted is how many credentials TestConsoleCredentialDrill types.
const planted = 40

// TestConsoleCredentialDrill types 40 credentials into the console, as a reader does, on
// forms of all products: calls of the mock server from the page, of a published server
// through the portal, broken ones, and forms without script. Afterwards none of them is
// anywhere: not in the page, the storage of the browser, its cookies, a copied link, the
// log with all its details, the metrics, a dump of the database, or any file that the
// program, PostgreSQL or the browser wrote.
//
//	go test -tags drill -run ConsoleCredentialDrill -v ./app
func TestConsoleCredentialDrill(t *testing.T) {
	needPrograms(t, "pg_dump")
	f := newFleet(t)
	f.environ = append(f.environ, "LOG_LEVEL=debug")
	f.run("seed")
	if _, err := f.pool.Exec(t.Context(), `insert into settings (name, value) values ('console', '{"shown": true}')`); err != nil {
		t.Fatal(err)
	}
	web := f.start("web")
	waitUntil(t, time.Minute, "the console is shown", func() bool { return statusOf(web.url+"/console") == http.StatusOK })
	marker := "planted" + strings.ToLower(rand.Text()[:12])
	secret := func(i int) string { return fmt.Sprintf("%s-%02d", marker, i) }
	forms := consoleForms(t, web.url)
	if len(forms) < planted/2 {
		t.Fatalf("the console has only the forms %v", forms)
	}
	b := consoleBrowser{t, browsertest.Open(t), web.url, marker}
	results := map[string]int{}
	typed := 0
	for i := 0; typed < planted-8 && i < 3*planted; i++ {
		form := forms[i*7%len(forms)] // of all products
		how := []string{"mock", "server", "broken"}[i%3]
		if outcome := b.call(form, how, secret(typed)); outcome != "" {
			results[how+": "+outcome]++
			typed++
		}
	}
	for i := range 8 { // without script
		results["without script: "+postConsole(t, web.url+forms[i], secret(typed))]++
		typed++
	}
	t.Logf("%d credentials were typed: %v", typed, results)
	if typed < planted {
		t.Errorf("%d credentials were typed, want %d", typed, planted)
	}

	res, err := http.Get(web.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil || !bytes.Contains(metrics, []byte("heliograph_console_calls_total")) {
		t.Errorf("the metrics do not count the calls: %d, %v", res.StatusCode, err)
	}
	dump, err := exec.CommandContext(t.Context(), "pg_dump", f.cluster.URL).Output()
	if err != nil || len(dump) < 1<<20 {
		t.Errorf("the dump has %d bytes: %v", len(dump), err)
	}
	log := web.written()
	if !strings.Contains(log, "/console/") {
		t.Error("the log does not show the calls, so that it cannot show a credential either")
	}
	for what, text := range map[string]string{"the metrics": string(metrics), "the dump": string(dump), "the log": log} {
		if strings.Contains(text, marker) {
			t.Errorf("%s have a credential", what)
		}
	}
	web.end(syscall.SIGTERM)
	files := 0
	for _, dir := range []string{f.dir, filepath.Join(os.TempDir(), "heliograph-chromium-"+strconv.Itoa(os.Getpid()))} {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return nil //nolint:nilerr // the browser and PostgreSQL still remove files
			}
			raw, err := os.ReadFile(path)
			if err == nil && bytes.Contains(raw, []byte(marker)) {
				t.Errorf("%s has a credential", path)
			}
			files++
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d files, a dump of %d bytes and a log of %d bytes have none", files, len(dump), len(log))
}

// consoleForms lists the addresses of the forms of the console with a credential.
func consoleForms(t *testing.T, site string) (list []string) {
	t.Helper()
	fetchDocument(t, site+"/console", "").Find("main a[href^='/console/']").Each(func(_ int, a *goquery.Selection) {
		if path := a.AttrOr("href", ""); !slices.Contains(list, path) {
			list = append(list, path)
		}
	})
	return list
}

// consoleBrowser is a reader with a browser.
type consoleBrowser struct {
	t      *testing.T
	ctx    context.Context
	site   string
	marker string
}

func (b consoleBrowser) await(what, condition string) {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if is, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`(() => { try { return Boolean(`+condition+`); } catch { return false; } })()`)); err == nil && is {
			return
		}
	}
	b.t.Fatalf("%s does not come: %s", what, browsertest.Situation(b.t, b.ctx))
}

// call types a credential into a form and sends it. It returns the result, and ""
// for a form without a credential.
func (b consoleBrowser) call(form, how, secret string) string {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Navigate(b.site+form)); err != nil {
		b.t.Fatal(err)
	}
	if !browsertest.Evaluate[bool](b.t, b.ctx, `document.querySelector('#console-call input[name^="secret."]') !== null`) {
		return ""
	}
	b.await("the form "+form, `document.querySelector("#console-call").dataset.ready`)
	server := `[...document.querySelector("#console-call [name=server]").options].find((o) => (o.value === "mock") === ` + strconv.FormatBool(how == "mock") + `).value`
	script := `(async () => {
		const form = document.querySelector("#console-call"), change = (field, value) => { field.value = value; field.dispatchEvent(new Event("input", { bubbles: true })); field.dispatchEvent(new Event("change", { bubbles: true })); };
		window.copied = "";
		navigator.clipboard.writeText = async (text) => { window.copied += text; };
		navigator.clipboard.write = async ([item]) => { window.copied += await (await item.getType("text/plain")).text(); };
		change(form.elements.server, ` + server + `);
		for (const field of form.querySelectorAll('input[name^="secret."]')) change(field, "` + secret + `");
		for (const field of form.querySelectorAll('input[name^="user."]')) change(field, "reader");
		const confirmed = form.querySelector("[name=confirmed]");
		if (confirmed) confirmed.checked = true;
		`
	if how == "broken" {
		script += `const raw = form.querySelector("textarea[name=raw]"); if (raw) change(raw, "{"); else for (const field of form.querySelectorAll("input[data-value][type=text]")) change(field, "");
		`
	}
	script += `form.querySelector("[data-share]").click();
		await new Promise((done) => setTimeout(done, 300));
		form.querySelector("[data-send]").click();
		return true;
	})()`
	browsertest.Evaluate[bool](b.t, b.ctx, script)
	b.await("the result of "+form+" "+how, `document.querySelector("#console-result .console-status, #console-result .alert, #console-call .error, #console-call .invalid, #console-call :invalid")`)
	for what, kept := range map[string]string{
		"the page":      `document.documentElement.outerHTML`,
		"the address":   `location.href + JSON.stringify(history.state)`,
		"the storage":   `document.cookie + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })`,
		"a copied link": `window.copied`,
	} {
		if text := browsertest.Evaluate[string](b.t, b.ctx, kept); strings.Contains(text, b.marker) || what == "a copied link" && !strings.Contains(text, "/console/") {
			b.t.Errorf("%s of %s %s: %.200q", what, form, how, text)
		}
	}
	if stores := browsertest.Evaluate[int64](b.t, b.ctx, `(async () => (await indexedDB.databases()).length + (await caches.keys()).length)()`); stores > 0 {
		b.t.Errorf("%s keeps %d stores", form, stores)
	}
	return browsertest.Evaluate[string](b.t, b.ctx, `(document.querySelector("#console-result .console-status, #console-result .alert") ?? { textContent: "refused in the form" }).textContent.trim().replace(/\s+/g, " ").replace(/ [0-9.,]+ (ms|s|bytes|B|KiB).*/, "").slice(0, 40)`)
}

// postConsole sends the form of the console without script.
func postConsole(t *testing.T, form, secret string) string {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	res, err := client.Get(form)
	if err != nil {
		t.Fatal(err)
	}
	page, err := goquery.NewDocumentFromReader(res.Body)
	res.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	values := url.Values{}
	page.Find("#console-call input[name], #console-call textarea[name], #console-call select[name]").Each(func(_ int, field *goquery.Selection) {
		name, value := field.AttrOr("name", ""), field.AttrOr("value", "")
		switch {
		case strings.HasPrefix(name, "secret."):
			value = secret
		case goquery.NodeName(field) == "textarea":
			value = strings.TrimPrefix(field.Text(), "\n")
		case goquery.NodeName(field) == "select":
			value = field.Find("option[selected]").AttrOr("value", field.Find("option").First().AttrOr("value", ""))
		case field.AttrOr("type", "") == "checkbox" && name != "confirmed", field.AttrOr("type", "") == "file", name == "direct":
			return
		}
		values.Set(name, value)
	})
	res, err = client.PostForm(form, values)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := goquery.NewDocumentFromReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if html, _ := answer.Html(); strings.Contains(html, secret) {
		t.Errorf("the answer of %s has the credential", form)
	}
	return strconv.Itoa(res.StatusCode)
}
