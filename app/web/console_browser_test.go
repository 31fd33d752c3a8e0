//go:build browser

package web_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// The panel of an endpoint is opened, filled in and sent by keyboard alone. The typed
// credential goes to the mock server, and is nowhere afterwards: in no other request, no
// page, no storage of the browser and no table.
func TestConsoleByKeyboard(t *testing.T) {
	t.Parallel()
	const secret = "planted-0d5c1f9e7a"
	s := newStand(t)
	s.publish()
	complaints := browsertest.Complaints(t, s.ctx, s.origin)
	s.open("/admin/console")
	browsertest.Tab(t, s.ctx, `form[action$="/settings"] button`)
	s.keys("\r")
	s.await("the console for readers", `document.querySelector("main").textContent.includes("Shown to readers")`)

	s.open("/docs/business-messaging/3.0/send-message")
	s.run(`document.querySelector("#console summary").focus()`)
	s.keys("\r")
	s.await("the form", `document.querySelector("#console-call")?.dataset.ready`)
	// What the page asks for from here on.
	s.run(`window.asked = [];
		const send = XMLHttpRequest.prototype.send;
		XMLHttpRequest.prototype.send = function (body) { asked.push(body instanceof FormData ? [...body.values()].join("\n") : String(body)); return send.call(this, body); };
		const own = window.fetch;
		window.fetch = (url, options) => { window.direct = { url, options }; return own(url, options); };`)
	browsertest.Tab(t, s.ctx, `#console-call input[type=password], #console-call input[name^="secret."]`)
	s.keys(secret)
	if err := chromedp.Do(s.ctx, chromedp.KeyEvent("\r", chromedp.KeyModifiers(chromedp.ModifierCtrl))); err != nil {
		t.Fatal(err)
	}
	s.await("the answer", `document.querySelector("#console-result .console-status")?.textContent.includes("200 OK")`)
	for what, script := range map[string]string{
		"the call goes to the mock server without cookies": `direct.url.startsWith("/mock/business-messaging/3.0/") && direct.options.credentials === "omit"`,
		"the call has the credential":                      `direct.options.headers.some(([name, value]) => name === "apikey" && value === "` + secret + `")`,
		"the portal gets no credential":                    `asked.length >= 2 && !asked.some((body) => body.includes("` + secret + `"))`,
		"the page does not show it":                        `!document.documentElement.outerHTML.includes("` + secret + `")`,
		"the browser does not keep it":                     `!(document.cookie + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })).includes("` + secret + `")`,
		"the answer is held against the contract":          `document.querySelector(".console-checks").textContent.includes("as documented for 200")`,
		"the result has the focus":                         `document.activeElement.matches(".console-status")`,
		"the sample has the placeholder":                   `document.querySelector("#console-sample pre").textContent.includes("<API_KEY>")`,
		"the button to cancel is there only during a call": `!document.querySelector("[data-cancel]").checkVisibility()`,
	} {
		if !browsertest.Evaluate[bool](t, s.ctx, script) {
			t.Errorf("not so: %s", what)
		}
	}
	browsertest.JudgePart(t, s.ctx, "#console", "console answered") // with the form

	// The mock server refuses a broken body, which is no breach by the answer.
	s.run(`const to = document.getElementById("body-field-to"); to.value = ""; to.dispatchEvent(new Event("input", { bubbles: true })); document.querySelector("[data-send]").focus()`)
	if raw := browsertest.Evaluate[string](t, s.ctx, `document.querySelector("#console-call textarea[name=raw]").value`); !strings.Contains(raw, `"to": ""`) {
		t.Errorf("the text does not follow the form: %s", raw)
	}
	s.keys("\r")
	s.await("the refusal", `document.querySelector(".console-checks")?.textContent.includes("The mock server refuses the call")`)
	if !browsertest.Evaluate[bool](t, s.ctx, `document.querySelector(".console-checks a[href*='body.to']") !== null`) {
		t.Error("the refusal does not lead to the field")
	}

	// The credential follows to another endpoint of the product, and is gone after a load.
	secretOf := `document.querySelector('#console-call input[name^="secret."]').value`
	s.open("/console/business-messaging/3.0/delete-media")
	s.await("the form of another page", `document.querySelector("#console-call")?.dataset.ready`)
	browsertest.JudgeThemes(t, s.ctx, "console page")
	if got := browsertest.Evaluate[string](t, s.ctx, secretOf); got != "" {
		t.Errorf("after a load the field holds %s", got)
	}
	// What may delete asks first.
	s.run(`document.querySelector("[data-send]").click()`)
	if !browsertest.Evaluate[bool](t, s.ctx, `document.querySelector("#console-call [name=confirmed]").matches(":invalid") && !document.querySelector(".console-status")`) {
		t.Error("DELETE is sent without a confirmation")
	}
	var kept bool
	err := s.pool.QueryRow(t.Context(), `
		select exists (select from pg_tables, lateral query_to_xml(format('select * from %I.%I', schemaname, tablename), true, false, '') x
		where schemaname not in ('pg_catalog', 'information_schema') and position($1 in x::text) > 0)`, secret).Scan(&kept)
	if err != nil || kept {
		t.Errorf("the credential is in a table: %v, %v", kept, err)
	}
	for _, one := range complaints() {
		// The mock server refuses a body, and the organisation of the stand has no numbers.
		if !strings.Contains(one, "400") && !strings.Contains(one, "/account/link") {
			t.Error(one)
		}
	}
}
