//go:build browser

package admin_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// TestEnquiriesByKeyboard works an enquiry from the list to its erasure, with and
// without script.
func TestEnquiriesByKeyboard(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]bool{"with script": true, "without script": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openDesk(t)
			exec(t, d.site, enquiryRow, failedRow, strings.Replace(failedRow, "webhook", "email", 1))
			judge := func(at string) {
				t.Helper()
				if script { // axe-core is one
					d.judge(at + " 1440")
				}
			}
			d.do(browsertest.Script(script), chromedp.Navigate(d.origin+"/admin/contacts"))
			judge("contacts")
			d.enter("input.choose", " ")
			d.press("form.bulk button")
			d.await("the assigned enquiry", `document.querySelector("#list td[data-label=Assigned]").textContent.trim() === "Asha"`)
			d.do(chromedp.Navigate(d.origin + "/admin/contacts"))
			d.press(`#list a[href^="/admin/contacts/0"]`)
			d.await("the enquiry", `document.querySelector(".enquiry-text").textContent === "<b>Prices</b>, please."`)
			judge("enquiry")
			d.enter("#field-status", "Cont")
			d.press(`form[action$="/status"] button`)
			d.await("the status", `!document.querySelector("main[aria-busy]") && document.querySelector("main").innerText.includes("Changed the status from new to contacted")`)
			d.enter("#field-note", "Called back.")
			d.press(`form[action$="/notes"] button`)
			d.await("the note", `document.querySelector("main").innerText.includes("Called back.")`)
			d.press(`form:has([value=email]) button`)
			d.await("the email queued again", `document.querySelector("main").innerText.includes("Sent it again by email")`)
			d.press(`form:has([value=webhook]) button`)
			d.await("the refusal", `document.body.innerText.includes("No webhook is set")`)
			d.said() // the browser reports the 409

			d.do(chromedp.Navigate(d.origin + "/admin/contacts/settings"))
			d.enter("#field-url", "http://127.0.0.1:9/enquiries\r")
			d.await("the secret", `document.querySelector(".created code").textContent.startsWith("whsec_")`)
			judge("contact settings")

			d.do(chromedp.Navigate(d.origin + "/admin/contacts/settings"))
			d.press(".form-drawer > summary")
			d.enter("#field-email", "mira@example.com\r")
			d.await("the question", `document.querySelector("main").innerText.includes("cannot be undone") && !document.querySelector("#field-url")`)
			judge("erasure")
			d.press("main button.danger")
			d.await("the erasure", `document.body.innerText.includes("Erased enquiries: 1.")`)
		})
	}
}
