package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// A partner gets from the form of registration to a callback at their own
// server in less than two minutes: by pointer, by keyboard alone, and without
// script. The program runs as `dev` runs it; the code comes from the inbox of
// the administration.
func TestPartnersJourney(t *testing.T) {
	t.Parallel()
	needPrograms(t, "python3", "curl", "sh")
	for _, way := range []string{"pointer", "keyboard", "scriptless"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			a, stop := startDev(t, filepath.Join(t.TempDir(), ".data"))
			defer stop(syscall.SIGINT)
			b := newReader(t, way)
			heard := make(chan string, 100)
			receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body) //nolint:errcheck // an empty body is recognised below
				heard <- string(body)
			}))
			defer receiver.Close()

			began := time.Now()
			b.register(a)
			send := b.firstKey()
			runLine(t, send)
			b.sees("send")
			listen := strings.NewReplacer("<API_KEY>", keyWithin.FindString(send), "https://example.com/callbacks", receiver.URL).Replace(b.text("[data-step=hear] pre"))
			runLine(t, listen)
			runLine(t, send)
			b.sees("hear")
			if b.script { // without it the card has given way already
				b.press("[data-step=hear] .actions a")
			}
			b.shown(".figures")
			took := time.Since(began)
			t.Logf("from the form to the callback in %s", took.Round(time.Second))
			if took > 2*time.Minute {
				t.Errorf("the way takes %s", took)
			}
			if said := <-heard; !strings.Contains(said, `"statuses"`) {
				t.Errorf("the receiver got %s", said)
			}
			if b.script { // samples then show the partner's own ids
				b.open(a.URL + "/docs/business-messaging/3.0/send-message")
				b.shown("#calls pre .own")
			}
		})
	}
}

var keyWithin = regexp.MustCompile(`hg_test_[0-9A-Za-z]+`)

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
}

func newReader(t *testing.T, way string) reader {
	t.Helper()
	r := reader{t: t, ctx: browsertest.Open(t), keyboard: way == "keyboard", script: way != "scriptless"}
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
	r.do("waiting for "+selector, chromedp.WaitVisible(chromedp.CSS(selector)))
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

	r.open(a.URL + "/admin/inbox")
	r.fill("#field-email", a.Admin.Email)
	r.fill("#field-password", a.Admin.Password)
	r.press("#login .primary")
	code := sixDigits.FindString(r.text(".message-text"))

	r.open(a.URL + "/register/verify")
	r.fill("#field-code", code)
	r.press("#verify .primary")
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

// firstKey makes a key on the card and returns the request that it then shows.
func (r reader) firstKey() string {
	r.t.Helper()
	r.press("[data-step=key] .primary")
	r.shown("[data-step=key].lit")
	send := r.text("[data-step=send] pre")
	if keyWithin.FindString(send) == "" {
		r.t.Fatalf("the request has no key: %s", send)
	}
	return send
}

// sees waits until a step is done: by itself, or without script by looking
// again.
func (r reader) sees(step string) {
	r.t.Helper()
	if r.script {
		r.shown("[data-step=" + step + "].lit")
		return
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		r.press(".start .again a")
		r.shown("h1")
		there, err := chromedp.Run(r.ctx, chromedp.Evaluate[bool](fmt.Sprintf("!document.querySelector('.start') || !!document.querySelector('[data-step=%s].lit')", step)))
		if err != nil {
			r.t.Fatal(err)
		}
		if there {
			return
		}
	}
	r.t.Fatalf("the step %s is never done", step)
}
