//go:build browser

package web_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"heliograph/views/browsertest"
)

// Times are shown in the reader's time zone, with UTC as their title, also in rows that
// arrive later. A field for a time is filled in by the reader's clock and sent in UTC.
func TestTimesAreLocal(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	zone := browsertest.Call(emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Kolkata"})
	if err := chromedp.Do(s.ctx, zone); err != nil {
		t.Fatal(err)
	}
	s.message("919800000001")
	s.open("/account/messages")
	s.await("the first row", rows+` === 1`)
	s.count(&s.line.streams, 1, "streams")
	const local = `[...document.querySelectorAll("#list tbody time")].every((time) => {
		const said = new Date(Date.parse(time.dateTime) + 5.5 * 3600e3).toISOString();
		return time.textContent.endsWith(said.slice(11, 19)) && time.title.includes(new Date(time.dateTime).toISOString().slice(11, 19) + " UTC");
	})`
	s.await("the time of the first row", local+` && document.querySelector("#list th").textContent.includes("UTC+5:30")`)
	s.message("919800000002")
	s.await("the second row, in local time", rows+` === 2 && `+local)
	s.await("a filter by local time", `(() => {
		const field = document.querySelector("input[type=datetime-local]");
		field.value = "2026-11-21T05:30";
		field.dispatchEvent(new Event("input", { bubbles: true }));
		field.dispatchEvent(new Event("change", { bubbles: true }));
		return new FormData(field.form).get("from") === "2026-11-21T00:00" && !field.name;
	})()`)
	s.await("the address with the time in UTC", `new URLSearchParams(location.search).get("from") === "2026-11-21T00:00" && `+rows+` === 2`)
	browsertest.Evaluate[bool](t, s.ctx, `location.reload(), true`)
	s.await("the filter after a reload", `document.querySelector("input[type=datetime-local]")?.value === "2026-11-21T05:30"`)
}
