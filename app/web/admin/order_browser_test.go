//go:build browser

package admin_test

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// spot is the middle of an element in the window.
func (d *desk) spot(selector string) (x, y float64) {
	d.t.Helper()
	at := browsertest.Evaluate[[]float64](d.t, d.ctx, `(() => { const r = document.querySelector("`+selector+`").getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
	return at[0], at[1]
}

// drag moves the mouse, or with touch a finger, from one element to the middle of
// another one and further by some pixels, as a hand does.
func (d *desk) drag(from, to string, further float64, touch bool) {
	d.t.Helper()
	d.await("what can be dragged", `document.querySelector("[data-arrange].arranged")`)
	browsertest.Evaluate[bool](d.t, d.ctx, `(document.querySelector("`+from+`").scrollIntoView({ block: "center", behavior: "instant" }), true)`)
	fromX, fromY := d.spot(from)
	toX, toY := d.spot(to)
	toY += further
	send := func(step string, x, y float64) {
		if touch {
			p := input.DispatchTouchEventParams{Type: input.DispatchTouchEventType("touch" + step), TouchPoints: []*input.TouchPoint{{X: x, Y: y}}}
			if step == "End" {
				p.TouchPoints = []*input.TouchPoint{}
			}
			d.do(browsertest.Call(input.DispatchTouchEvent, p))
			return
		}
		kind := map[string]input.DispatchMouseEventType{"Start": "mousePressed", "Move": "mouseMoved", "End": "mouseReleased"}[step]
		d.do(browsertest.Call(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: "left", Buttons: 1, ClickCount: 1}))
	}
	send("Start", fromX, fromY)
	const steps = 12
	for i := range steps {
		part := float64(i+1) / steps
		send("Move", fromX+(toX-fromX)*part, fromY+(toY-fromY)*part)
		time.Sleep(20 * time.Millisecond)
	}
	send("End", toX, toY)
}

// quiet fails for what the browser says beside one expected text, and beside that
// somebody's focus was left where it is.
func (d *desk) quiet(said func() []string, expected string) {
	d.t.Helper()
	for _, s := range said() {
		if !strings.Contains(s, expected) && !strings.Contains(s, "Autofocus processing was blocked") {
			d.t.Errorf("the browser says: %s", s)
		}
	}
}

// alt presses a key with Alt.
func (d *desk) alt(key string) {
	d.t.Helper()
	d.await("what can be moved", `document.querySelector("[data-arrange].arranged")`)
	d.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierAlt)))
}

// Rows of a form go to another place by mouse, by touch, by Alt and an arrow, and by
// buttons. Each move is drafted, said aloud, and leaves the focus on the row.
func TestRowsAreDragged(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	p := newPressOver(t, pool, nil)
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	ada := p.writing(server.URL, "ada")
	said := browsertest.Complaints(t, ada.ctx, server.URL)
	ada.do(chromedp.Navigate(server.URL + p.page("schema", "letter")))
	ada.await("rows that can be dragged", `document.querySelector(".arranged [data-list] .grip")`)
	row := func(name string) string { return fmt.Sprintf(`[data-at='/properties/%s'] > summary`, name) }
	check := func(by, order, says string) {
		t.Helper()
		first, second, _ := strings.Cut(order, " ")
		ada.await("the order "+order+" by "+by, fmt.Sprintf(`[...document.querySelectorAll("[data-list] > [data-at]")].map((r) => r.dataset.at).join() === "/properties/%s,/properties/%s" && document.querySelector("#live").textContent === %q`, first, second, says))
		if raw := p.raw("letter"); strings.Index(raw, `"`+first+`"`) > strings.Index(raw, `"`+second+`"`) {
			t.Errorf("by %s the draft holds %s", by, raw)
		}
	}
	ada.drag(row("id")+" .grip", row("text"), 14, false)
	check("mouse", "text id", "id is now 2 of 2.")
	ada.await("the focus on the row", `document.activeElement.matches("`+row("id")+`")`)
	if browsertest.Evaluate[bool](t, ada.ctx, `document.querySelector("[data-at='/properties/id']").open`) {
		t.Error("dragging opens the row")
	}
	ada.audit("rows to drag")
	ada.drag(row("id")+" .grip", row("text"), -14, true)
	check("touch", "id text", "id is now 1 of 2.")
	ada.await("the focus on the row", `document.activeElement.matches("`+row("id")+`")`)
	ada.alt(kb.ArrowDown)
	check("keyboard", "text id", "id is now 2 of 2.")
	ada.await("the focus on the row", `document.activeElement.matches("`+row("id")+`")`)
	ada.alt(kb.ArrowDown) // it is the last one
	ada.press(row("text"))
	ada.press(`button[value='down:/properties/text']`)
	check("button", "id text", "text is now 2 of 2.")
	ada.await("the focus on the other button", `document.activeElement.value === "up:/properties/text"`)
	ada.quiet(said, "none")
	// Without a server the row goes back to where it was.
	server.CloseClientConnections()
	server.Close()
	ada.drag(row("text")+" .grip", row("id"), -14, false)
	ada.await("the row to go back", `document.querySelector("#flash").textContent.includes("The server does not answer") && document.querySelector("[data-list] > [data-at]").dataset.at === "/properties/id"`)
}

// Items of a tree are dragged within their category and into another one, also a
// closed one, and moved by keyboard. What readers see stays until it is published.
func TestTreeIsDragged(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	p := newPressOver(t, pool, nil)
	add := func(title, group, order string) string {
		p.ok(p.ada, p.ada.Post(p.product+"/new", url.Values{"kind": {"guide"}, "parent": {p.id("product", "letters")}, "title": {title}, "group": {group}, "order": {order}}))
		return p.id("guide", strings.ToLower(title))
	}
	stamps, ink := add("Stamps", "Start", "7"), add("Ink", "Desk", "9")
	begin := p.id("guide", "begin")
	server := httptest.NewServer(p.Server.Handler())
	t.Cleanup(server.CloseClientConnections)
	ada := p.writing(server.URL, "ada")
	said := browsertest.Complaints(t, ada.ctx, server.URL)
	ada.do(chromedp.Navigate(server.URL + p.product))
	ada.await("a tree that can be dragged", `document.querySelector(".arranged [data-list] .grip")`)
	ada.audit("tree to drag")
	leaf := func(id string) string { return `[data-at='` + id + `']` }
	check := func(by, order, says string) {
		t.Helper()
		ada.await("the order "+order+" by "+by, fmt.Sprintf(`[...document.querySelectorAll("[data-list^=guide] > [data-at] > a:not(.leaf-move, .leaf-set)")].map((a) => a.textContent).join(" ") === %q && document.querySelector("#live").textContent === %q`, order, says))
	}
	ada.drag(leaf(begin)+" .grip", leaf(stamps), 10, false)
	check("mouse", "Stamps Begin Ink", "Begin is now 2 of 2 in Start.")
	ada.await("the focus on the item", `document.activeElement.matches("`+leaf(begin)+` > a")`)
	ada.drag(leaf(begin)+" .grip", leaf(ink), 10, true)
	check("touch", "Stamps Ink Begin", "Begin is now 2 of 2 in Desk.")
	ada.await("the focus on the item", `document.activeElement.matches("`+leaf(begin)+` > a")`)
	ada.alt(kb.ArrowUp)
	check("keyboard", "Stamps Begin Ink", "Begin is now 1 of 2 in Desk.")
	if got := p.text(`select r.content->>'group' from items i join revisions r on r.id = i.draft_revision_id where i.slug = 'begin'`); got != "Desk" {
		t.Errorf("the group is %q", got)
	}
	if got := p.text(`select r.content->>'group' from items i join revisions r on r.id = i.live_revision_id where i.slug = 'begin'`); got != "Start" {
		t.Errorf("readers see the group %q", got)
	}
	// Somebody else reorders the list, which this page does not show yet.
	p.ok(p.ada, p.ada.Post(p.product+"/order", url.Values{"moved": {ink}, "group": {"Start"}, "seen": {stamps}}))
	ada.drag(leaf(begin)+" .grip", leaf(stamps), 10, false)
	ada.await("the conflict in place", `document.querySelector("#filtered .alert.bad").textContent.includes("Somebody else changed this list") && document.querySelector("#live").textContent.includes("Somebody else")`)
	shown := `[...document.querySelectorAll("[data-list^=guide] > [data-at]")].map((r) => r.dataset.at).join()`
	ada.await("the order as it is", shown+` === "`+stamps+`,`+ink+`,`+begin+`"`)
	ada.quiet(said, "409")
}
