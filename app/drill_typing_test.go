//go:build drill && linux

package main

import (
	"context"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"heliograph/views/browsertest"
)

// typist is an administrator in Chromium, and the web process that serves them.
type typist struct {
	*testing.T
	fleet   *fleet
	address string
	ctx     context.Context
	item    string // the page of a guide
}

func newTypist(t *testing.T) *typist {
	t.Helper()
	d := &typist{T: t, fleet: newFleet(t), address: freeAddress()}
	d.fleet.run("seed")
	create := exec.CommandContext(t.Context(), d.fleet.binary(), "admin", "create", "--name", "Sue", "--email", "sue@example.com", "--password-stdin")
	create.Env, create.Stdin = d.fleet.environ, strings.NewReader(typistPassword+"\n")
	if out, err := create.CombinedOutput(); err != nil {
		t.Fatalf("adding an administrator: %v\n%s", err, out)
	}
	d.item = d.fleet.column(`select '/admin/products/' || parent_id || '/items/' || id from items where kind = 'guide' and live_revision_id is not null order by id limit 1`)[0]
	return d
}

const typistPassword = "a quiet lantern by the sea"

func (d *typist) serve() *process {
	d.Helper()
	p, err := d.fleet.launch("web", d.address)
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { p.end(syscall.SIGKILL) })
	if !p.ready(30 * time.Second) {
		d.Fatalf("the web process is not ready:\n%s", p.written())
	}
	return p
}

func (d *typist) do(actions ...chromedp.Action[chromedp.Void]) {
	d.Helper()
	if err := chromedp.Do(d.ctx, actions...); err != nil {
		d.Fatal(err)
	}
}

func (d *typist) enter(selector, text string) {
	d.Helper()
	browsertest.Tab(d.T, d.ctx, selector)
	d.do(chromedp.KeyEvent(text))
}

func (d *typist) await(what, condition string) {
	d.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if is, err := chromedp.Run(d.ctx, chromedp.Evaluate[bool](`(() => { try { return Boolean(`+condition+`); } catch { return false; } })()`)); err == nil && is {
			return
		}
	}
	d.Fatalf("%s does not come: %s", what, browsertest.Evaluate[string](d.T, d.ctx, `document.body.innerText`))
}

// summary is what the server has of the summary.
func (d *typist) summary() string {
	d.Helper()
	saved := d.fleet.column(`select r.content->>'summary' from items i join revisions r on r.id = i.draft_revision_id where i.id = split_part($1, '/', 6)::bigint`, d.item)
	if len(saved) != 1 {
		d.Fatal("the server has saved nothing")
	}
	return saved[0]
}

// typeThrough types 150 letters at a person's pace and kills the process after 100 of
// them. It returns the text, and how long before the kill each of its letters came.
func (d *typist) typeThrough(web *process) (typed string, ages []time.Duration) {
	d.Helper()
	const sentence = "Nothing that is typed is ever lost, whatever becomes of the server in the meantime. "
	var times []time.Time
	var killed time.Time
	for i := range 150 {
		if i == 100 {
			killed = time.Now()
			web.end(syscall.SIGKILL)
		}
		letter := string(sentence[i%len(sentence)])
		d.do(chromedp.KeyEvent(letter))
		typed += letter
		times = append(times, time.Now())
		time.Sleep(120 * time.Millisecond)
	}
	for _, at := range times {
		ages = append(ages, killed.Sub(at))
	}
	return typed, ages
}

// Somebody types into a form for more than ten seconds without a pause, and the web
// process is killed meanwhile. The server then misses what was typed in the last
// second, and the browser nothing: the same page, and a new one, have all of it.
func TestDrillTyping(t *testing.T) {
	d := newTypist(t)
	web := d.serve()
	d.ctx = browsertest.Open(t)
	d.do(chromedp.Navigate(web.url + "/admin/login"))
	d.enter("#field-email", "sue@example.com")
	d.enter("#field-password", typistPassword+"\r")
	d.await("the overview", `document.querySelector("h1").textContent === "Overview"`)
	d.do(chromedp.Navigate(web.url + d.item))
	d.await("the form", `document.querySelector("#item").dataset.seen && sessionStorage.tab`)
	browsertest.Tab(t, d.ctx, "#field-summary")
	browsertest.Evaluate[bool](t, d.ctx, `(document.activeElement.select(), true)`)

	typed, ages := d.typeThrough(web)
	saved := d.summary()
	missing := max(ages[min(len(saved), len(ages)-1)], 0)
	t.Logf("of 100 letters before the kill the server has %d: it misses what was typed in the last %s", len(saved), missing.Round(time.Millisecond))
	if !strings.HasPrefix(typed, saved) || missing > 1250*time.Millisecond {
		t.Errorf("the server has %q and misses %s", saved, missing)
	}
	if got := browsertest.Evaluate[string](t, d.ctx, `document.querySelector("#field-summary").value`); got != typed {
		t.Errorf("the page holds %q", got)
	}

	web = d.serve()
	d.do(chromedp.Navigate(web.url + d.item))
	d.await("what was typed", `document.querySelector("#field-summary").value === "`+typed+`" && !document.querySelector("#unsaved").hidden`)
	d.enter("#field-summary", kb.End+"!") // typing goes on, and is saved
	d.await("the saved draft", `document.querySelector("#saved p").textContent.startsWith("Saved at")`)
	if saved := d.summary(); saved != typed+"!" {
		t.Errorf("after the restart the server has %q, want %q", saved, typed+"!")
	}
}
