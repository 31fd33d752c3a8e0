//go:build drill && linux

package main

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"heliograph/views/browsertest"
)

// Somebody types into a form for ten seconds and more without a pause, and the web
// process is killed meanwhile. The server then misses what was typed in the last
// second, and the browser nothing: the same page, and a new one, have all of it.
func TestDrillTyping(t *testing.T) {
	f := newFleet(t)
	f.run("seed")
	const password = "a quiet lantern by the sea"
	create := exec.CommandContext(t.Context(), f.binary(), "admin", "create", "--name", "Sue", "--email", "sue@example.com", "--password-stdin")
	create.Env, create.Stdin = f.environ, strings.NewReader(password+"\n")
	if out, err := create.CombinedOutput(); err != nil {
		t.Fatalf("adding an administrator: %v\n%s", err, out)
	}
	address := freeAddress()
	serve := func() *process {
		p, err := f.launch("web", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.end(syscall.SIGKILL) })
		if !p.ready(30 * time.Second) {
			t.Fatalf("the web process is not ready:\n%s", p.written())
		}
		return p
	}
	web := serve()
	ctx := browsertest.Open(t)
	do := func(actions ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		if err := chromedp.Do(ctx, actions...); err != nil {
			t.Fatal(err)
		}
	}
	enter := func(selector, text string) {
		t.Helper()
		browsertest.Tab(t, ctx, selector)
		do(chromedp.KeyEvent(text))
	}
	await := func(what, condition string) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`(() => { try { return Boolean(`+condition+`); } catch { return false; } })()`)); err == nil && is {
				return
			}
		}
		t.Fatalf("%s does not come: %s", what, browsertest.Evaluate[string](t, ctx, `document.body.innerText`))
	}
	const text = `document.querySelector("#field-summary").value`
	do(chromedp.Navigate(web.url + "/admin/login"))
	enter("#field-email", "sue@example.com")
	enter("#field-password", password+"\r")
	await("the overview", `document.querySelector("h1").textContent === "Overview"`)
	item := f.column(`select '/admin/products/' || parent_id || '/items/' || id from items where kind = 'guide' and live_revision_id is not null order by id limit 1`)[0]
	do(chromedp.Navigate(web.url + item))
	await("the form", `document.querySelector("#item").dataset.seen && sessionStorage.tab`)
	browsertest.Tab(t, ctx, "#field-summary")
	browsertest.Evaluate[bool](t, ctx, `(document.activeElement.select(), true)`)

	const sentence = "Nothing that is typed is ever lost, whatever becomes of the server in the meantime. "
	var typed strings.Builder
	type key struct {
		at   time.Time
		text string
	}
	var keys []key
	var killed time.Time
	for i := range 150 {
		if i == 100 {
			web.end(syscall.SIGKILL)
			killed = time.Now()
		}
		letter := string(sentence[i%len(sentence)])
		do(chromedp.KeyEvent(letter))
		typed.WriteString(letter)
		keys = append(keys, key{time.Now(), typed.String()})
		time.Sleep(120 * time.Millisecond)
	}
	saved := f.column(`select r.content->>'summary' from items i join revisions r on r.id = i.draft_revision_id where i.id = split_part($1, '/', 6)::bigint`, item)
	if len(saved) != 1 {
		t.Fatal("the server has saved nothing")
	}
	var missing time.Duration
	for _, k := range keys {
		if k.at.Before(killed) && len(k.text) > len(saved[0]) {
			missing = killed.Sub(k.at)
			break
		}
	}
	t.Logf("of %d letters before the kill the server has %d: it misses what was typed in the last %s", 100, len(saved[0]), missing.Round(time.Millisecond))
	if !strings.HasPrefix(typed.String(), saved[0]) || missing > 1250*time.Millisecond { // a second, and the way of a save
		t.Errorf("the server has %q and misses %s", saved[0], missing)
	}
	if got := browsertest.Evaluate[string](t, ctx, text); got != typed.String() {
		t.Errorf("the page holds %q", got)
	}

	web = serve()
	do(chromedp.Navigate(web.url + item))
	await("what was typed", text+` === `+"`"+typed.String()+"`"+` && !document.querySelector("#unsaved").hidden`)
	enter("#field-summary", kb.End+"!") // typing goes on, and is saved
	await("the saved draft", `document.querySelector("#saved p").textContent.startsWith("Saved at")`)
	saved = f.column(`select r.content->>'summary' from items i join revisions r on r.id = i.draft_revision_id where i.id = split_part($1, '/', 6)::bigint`, item)
	if want := strings.TrimSpace(typed.String()); !strings.Contains(saved[0], want[:40]) || len(saved[0]) < len(want) {
		t.Errorf("after the restart the server has %q, want %q", saved[0], want)
	}
}
