//go:build browser

package channels_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"heliograph/app/people/identity"
	"heliograph/views/browsertest"
)

// Somebody without a mouse writes a body, sees its mistake and then the phone, and chooses
// what happens to the message.
func TestSimulatorsByKeyboard(t *testing.T) {
	t.Parallel()
	y, _ := newTypist(t, nil)
	said := browsertest.Complaints(t, y.ctx, y.origin)
	y.open("/simulators")
	y.judge("the list of simulators")
	for slug, text := range map[string]string{
		"messaging": `{"messaging_product":"msgapp","to":"919812345678","text":{"body":"Typed"}}`,
		"rcs":       `{"botId":"b","to":"+919812345678","contentMessage":{"text":"Typed"}}`,
		"sms":       `{"messages":[{"dest":["447400123456"],"header":"Heliograph","msg":"Typed"}]}`,
	} {
		y.open("/simulators/" + slug)
		y.until("the editor", `document.querySelector("code-editor#field-text")?.shadowRoot?.querySelector(".cm-content")`)
		y.judge(slug)
		y.types(`{"to": ]`)
		y.until("the place of the mistake", `document.querySelector("#simulator-preview .sim-problems")?.textContent.includes("Line 1, column 8")`)
		y.judge(slug + " with a mistake")
		y.types(text)
		y.until("the phone", `document.querySelector("#simulator-preview .sim-screen")?.textContent.includes("Typed")`)
		browsertest.Tab(t, y.ctx, `select[name=outcome]`)
		y.key(kb.ArrowDown)
		y.until("the callbacks, with the focus where it was", `document.querySelector(".sim-follow h3") && document.activeElement.id === "field-outcome"`)
		y.judge(slug + " with callbacks")
	}
	for _, one := range said() {
		if !strings.Contains(one, "422") { // the text with a mistake is refused
			t.Error(one)
		}
	}
}

// A member opens an address of the range, sends a test event to it and reads what came
// with its signature, without a mouse. The guide about listening is held to the same
// rules.
func TestRangeByKeyboard(t *testing.T) {
	t.Parallel()
	y, site := newTypist(t, nil)
	member, _ := site.SignIn(t, 0, identity.Owner)
	set := network.SetCookieParams{Name: "heliograph", Value: member.Cookie("heliograph"), URL: y.origin}
	if err := chromedp.Do(y.ctx, browsertest.Call(network.SetCookie, set)); err != nil {
		t.Fatal(err)
	}
	y.open("/account/webhook-range")
	y.judge("the range without an address")
	y.press(`form[action$="/webhook-range/open"] button`)
	y.until("the address", `document.querySelector("section[aria-labelledby=address] pre") && document.readyState === "complete"`)
	y.judge("the range with an address")
	y.press(`form[action$="/webhook-range/test"] button`)
	y.until("what came in", `document.querySelector("section[aria-labelledby=came] tbody a") && document.readyState === "complete"`)
	y.judge("the range with entries")
	y.press(`section[aria-labelledby=came] tbody a`)
	y.until("the signature", `document.querySelector("#form-check .badge")?.textContent.includes("The signature matches")`)
	y.judge("an entry of the range")
	y.open("/productguide/portal/try-a-receiver")
	y.judge("the guide about listening")
}
