package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// A new organisation goes from a key to its first callback by keyboard alone:
// first without script, by a link, then with script, where the card moves by
// itself. What it runs is what the page shows.
func TestFirstVisitInBrowser(t *testing.T) {
	t.Parallel()
	needPrograms(t)
	v := visit{t: t, ctx: browsertest.Open(t)}
	var stop func(syscall.Signal)
	v.access, stop = startDev(t, filepath.Join(t.TempDir(), ".data"))
	defer stop(syscall.SIGINT)
	heard := make(chan struct{}, 16)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		heard <- struct{}{}
		w.WriteHeader(http.StatusOK)
	}))
	defer receiver.Close()

	v.script(false)
	v.signIn()
	v.press("td a[href$='/revoke']")
	v.press("main button.danger")
	v.wait("p.done")
	v.open("/account")
	v.press("form[action='/account/first-key'] button")
	v.wait("[data-step=send].next")
	request := v.text("[data-step=send] pre")
	if key := v.text("[data-step=key] pre"); !strings.Contains(request, key) {
		t.Fatalf("the request lacks the key %s: %s", key, request)
	}
	v.shell(request)
	v.press(".again a")
	v.wait("[data-step=send].lit")
	key := request[strings.Index(request, "hg_live_"):]
	key = key[:strings.IndexByte(key, '\'')]

	v.script(true)
	v.open("/account")
	listen := strings.NewReplacer("<API_KEY>", key, "https://example.com/callbacks", receiver.URL).Replace(v.text("[data-step=hear] pre"))
	v.shell(listen)
	v.wait("[data-step=hear][data-state$='set']")
	v.shell(request)
	<-heard
	v.wait("[data-step=hear].lit")
	v.press("[data-step=hear] .actions a")
	v.wait(".figures")
}

// visit is a browser at a running server.
type visit struct {
	t      *testing.T
	ctx    context.Context
	access access
}

func (v visit) open(path string) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, chromedp.Navigate(v.access.URL+path)); err != nil {
		v.t.Fatal(err)
	}
}

func (v visit) script(on bool) {
	v.t.Helper()
	send(v, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
}

func (v visit) signIn() {
	v.t.Helper()
	v.open("/login?next=/account/keys")
	for selector, text := range map[string]string{"#field-email": v.access.Organisation.Email, "#field-password": v.access.Organisation.Password} {
		v.reach(selector)
		send(v, input.InsertText, input.InsertTextParams{Text: text})
	}
	v.key("Enter", 13)
	v.wait("td a[href$='/revoke']")
}

// send gives the browser a command of its protocol.
func send[P, R any](v visit, command cdp.Command[P, R], params P) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, browsertest.Call(command, params)); err != nil {
		v.t.Fatal(err)
	}
}

func (v visit) key(name string, code int64) {
	v.t.Helper()
	down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: name, WindowsVirtualKeyCode: code}
	if name == "Enter" {
		down.Text = "\r"
	}
	send(v, input.DispatchKeyEvent, down)
	send(v, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: name, WindowsVirtualKeyCode: code})
}

// reach goes by the Tab key to what the selector names.
func (v visit) reach(selector string) {
	v.t.Helper()
	v.wait(selector)
	for range 80 {
		if v.ask("!!document.activeElement && document.activeElement.matches(" + quoted(selector) + ")") {
			return
		}
		v.key("Tab", 9)
	}
	v.t.Fatalf("Tab does not reach %s", selector)
}

// press reaches something and presses Enter.
func (v visit) press(selector string) {
	v.t.Helper()
	v.reach(selector)
	v.key("Enter", 13)
}

func (v visit) ask(condition string) bool {
	v.t.Helper()
	yes, err := chromedp.Run(v.ctx, chromedp.Evaluate[bool](condition))
	return err == nil && yes // while a page loads there is nothing to ask
}

// wait looks until something is there to see, for 20 s at most.
func (v visit) wait(selector string) {
	v.t.Helper()
	seen := "!!document.querySelector(" + quoted(selector) + ")?.checkVisibility()"
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); <-ticker.C {
		if v.ask(seen) {
			return
		}
	}
	page, _ := chromedp.Run(v.ctx, chromedp.Evaluate[string]("location.href + document.body.innerText"))
	v.t.Fatalf("there is no %s: %s", selector, page)
}

func quoted(selector string) string { return "`" + selector + "`" }

func (v visit) text(selector string) string {
	v.t.Helper()
	v.wait(selector)
	text, err := chromedp.Run(v.ctx, chromedp.Evaluate[string]("document.querySelector("+quoted(selector)+").textContent"))
	if err != nil {
		v.t.Fatal(err)
	}
	return text
}

// shell runs what the page shows.
func (v visit) shell(line string) {
	v.t.Helper()
	out, err := exec.CommandContext(v.ctx, "sh", "-euc", strings.Replace(line, "curl ", "curl -sf ", 1)).CombinedOutput()
	if err != nil {
		v.t.Fatalf("%v: %s\n%s", err, line, out)
	}
}
