//go:build browser

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"heliograph/app/porttest"
	"heliograph/views/browsertest"
)

// effort is what a way through the portal asks of a person.
type effort struct {
	presses int // of buttons and links
	fields  int // that were filled in
}

// mostPresses and mostFields are what the way to a verified callback takes. It
// must not become longer. Without script a person also presses Check again.
const (
	mostPresses = 6
	mostFields  = 6
)

// A partner gets from the form of registration to a verified callback at their
// own server: by pointer, by keyboard alone, and without script. The server is
// the receiver of the guide, which checks the signature of each callback. The
// program runs as `dev` runs it; the code comes from the inbox of the
// administration.
func TestPartnersJourney(t *testing.T) {
	t.Parallel()
	needPrograms(t, "python3", "curl", "sh")
	for _, way := range []string{"pointer", "keyboard", "scriptless"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			a, stop := startDev(t, filepath.Join(t.TempDir(), ".data"))
			defer stop(syscall.SIGINT)
			b := newReader(t, way)
			port := porttest.FreePort(t)

			began := time.Now()
			b.register(a)
			send := b.firstKey()
			runLine(t, send)
			b.sees("send")
			listen := strings.NewReplacer("<API_KEY>", keyWithin.FindString(send), "https://example.com/callbacks", "http://127.0.0.1:"+port).Replace(b.text("[data-step=hear] pre"))
			runLine(t, listen)
			b.sees("hear", ":not([data-state='next'])") // set, or failing already
			b.press("[data-step=hear] a[href^='/account/webhooks/']")
			b.press("form[action$='/secret'] button")
			secret := strings.TrimSpace(b.text(".secret pre"))
			verified := startGuideReceiver(t, port, secret)
			runLine(t, send)
			b.hears(verified)
			b.press("[href='/account']")
			b.shown(".figures")
			t.Logf("from the form to the verified callback: %d presses and %d fields in %s", b.effort.presses, b.effort.fields, time.Since(began).Round(time.Second))
			if b.effort.fields > mostFields || b.script && b.effort.presses > mostPresses {
				t.Errorf("the way takes %d presses and %d fields, at most %d and %d are accepted", b.effort.presses, b.effort.fields, mostPresses, mostFields)
			}
			if b.script { // samples then show the partner's own ids
				b.open(a.URL + "/docs/business-messaging/3.0/send-message")
				b.shown("#calls pre .own")
				b.open(a.URL + "/productguide/business-messaging/send-your-first-message")
				b.shown(".guide pre .own")
			}
		})
	}
}

// startGuideReceiver runs the Python receiver of the guide and returns the lines
// that it prints.
func startGuideReceiver(t *testing.T, port, secret string) <-chan string {
	t.Helper()
	guide, err := os.ReadFile("../db/seed/guides/business-messaging/receive-callbacks.md")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("(?s)```python tab=\"Python\"\n(.*?)```").FindSubmatch(guide)
	if code == nil {
		t.Fatal("the guide has no receiver in Python")
	}
	receiver := exec.CommandContext(t.Context(), "python3", "-c", string(code[1]))
	receiver.Env = append(os.Environ(), "WEBHOOK_SECRET="+secret, "PORT="+port)
	out, err := receiver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := receiver.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 100)
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
		receiver.Wait() //nolint:errcheck // it is killed when the test ends
		close(lines)
	}()
	return lines
}

// hears waits for the callback that a message was delivered. The receiver prints only
// what has a valid signature.
func (r reader) hears(verified <-chan string) {
	r.t.Helper()
	var printed []string
	for deadline := time.After(90 * time.Second); ; {
		select {
		case line, open := <-verified:
			if printed = append(printed, line); strings.HasSuffix(line, " delivered") {
				return
			}
			if !open {
				r.t.Fatalf("the receiver has ended, after %q", printed)
			}
		case <-deadline:
			r.t.Fatalf("the receiver has printed %q and no callback of a delivered message\n%s", printed, browsertest.Situation(r.t, r.ctx))
		}
	}
}

// runLine runs what a page shows, as somebody who pastes it does.
func runLine(t *testing.T, line string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "sh", "-c", line+" --fail-with-body --silent --show-error").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, out, line)
	}
}

// reader sits before a browser.
type reader struct {
	t        *testing.T
	ctx      context.Context
	keyboard bool
	script   bool
	effort   *effort
}

func newReader(t *testing.T, way string) reader {
	t.Helper()
	r := reader{t: t, ctx: browsertest.Open(t), keyboard: way == "keyboard", script: way != "scriptless", effort: &effort{}}
	r.do("starting the browser", browsertest.Script(r.script))
	return r
}

func (r reader) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.ctx, 90*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		r.t.Fatalf("%s: %v", what, err)
	}
}

// shown waits until an element is on the page.
func (r reader) shown(selector string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.ctx, 90*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.WaitVisible(chromedp.CSS(selector))); err != nil {
		r.t.Fatalf("waiting for %s: %v\n%s", selector, err, browsertest.Situation(r.t, r.ctx))
	}
}

func (r reader) text(selector string) string {
	r.t.Helper()
	r.shown(selector)
	text, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](fmt.Sprintf("document.querySelector(%q).textContent", selector)))
	if err != nil {
		r.t.Fatalf("reading %s: %v", selector, err)
	}
	return text
}

func (r reader) fill(selector, text string) {
	r.t.Helper()
	r.effort.fields++
	r.shown(selector)
	if r.keyboard {
		browsertest.Tab(r.t, r.ctx, selector)
		r.do("typing", chromedp.KeyEvent(text))
		return
	}
	r.do("typing into "+selector, chromedp.SendKeys(chromedp.CSS(selector), text))
}

func (r reader) press(selector string) {
	r.t.Helper()
	r.effort.presses++
	r.shown(selector)
	if r.keyboard {
		browsertest.Tab(r.t, r.ctx, selector)
		r.do("pressing Enter", chromedp.KeyEvent("\r"))
		return
	}
	r.do("pressing "+selector, chromedp.Click(chromedp.CSS(selector)))
}

func (r reader) open(address string) {
	r.t.Helper()
	r.do("opening "+address, chromedp.Navigate(address))
}

// register fills the form, reads the code in the inbox and enters it.
func (r reader) register(a access) {
	r.t.Helper()
	r.open(a.URL + "/register")
	r.fill("#field-organisation", "Lighthouse")
	r.fill("#field-email", "asha@example.com")
	r.fill("#field-mobile", "+91 98123 45678")
	r.fill("#field-password", "nine slow herons wade")
	r.fill("#field-confirmation", "nine slow herons wade")
	r.press("#register .primary")
	r.shown("#field-code")

	partner := *r.effort // what the administrator does does not count
	r.open(a.URL + "/admin/inbox")
	r.fill("#field-email", a.Admin.Email)
	r.fill("#field-password", a.Admin.Password)
	r.press("#login .primary")
	code := sixDigits.FindString(r.text(".message-text"))
	*r.effort = partner

	r.open(a.URL + "/register/verify")
	r.fill("#field-code", code)
	r.press("#verify .primary")
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

// firstKey makes a key on the card and returns the request that it then shows.
func (r reader) firstKey() string {
	r.t.Helper()
	r.press("[data-step=key] .primary")
	r.shown("[data-step=key] .secret") // the page with the key, not the one before
	send := r.text("[data-step=send] pre")
	if keyWithin.FindString(send) == "" {
		r.t.Fatalf("the request has no key: %s", send)
	}
	return send
}

// sees waits until a step is done, or in the state of a selector: by itself, or
// without script by looking again.
func (r reader) sees(step string, state ...string) {
	r.t.Helper()
	selector := "[data-step=" + step + "]" + strings.Join(append(state, ".lit")[:1], "")
	if r.script {
		r.shown(selector)
		return
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		r.press(".start .again a")
		r.shown("h1")
		there, err := chromedp.Run(r.ctx, chromedp.Evaluate[bool](fmt.Sprintf("!document.querySelector('.start') || !!document.querySelector(%q)", selector)))
		if err != nil {
			r.t.Fatal(err)
		}
		if there {
			return
		}
	}
	r.t.Fatalf("the step %s is never done", step)
}
