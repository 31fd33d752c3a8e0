package browsertest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// points opens the drawers of a page and presses every control at nine points of its
// area. It returns the ones that something else covers. A press on a label counts as one on its box.
const points = `(async () => {
	const missed = [];
	for (const drawer of document.querySelectorAll(".form-drawer")) drawer.open = true;
	const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	for (const control of document.querySelectorAll("main :is(code-editor, input:not([type=hidden]), textarea, select, button, summary):not([hidden], :disabled)")) {
		if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
		control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
		await frames();
		for (let i = 0; i < 9; i++) {
			const box = control.getBoundingClientRect();
			if (box.width < 3 || box.height < 3) break; // shown to screen readers alone
			const x = box.left + box.width * (i % 3 + 0.5) / 3, y = box.top + box.height * (Math.floor(i / 3) + 0.5) / 3;
			const hit = (control.shadowRoot ?? document).elementFromPoint(x, y);
			const takes = control.shadowRoot ? hit?.closest("[contenteditable], .cm-gutters, .cm-panels")
				: hit === control || control.contains(hit) || [...control.labels ?? []].some((label) => label.contains(hit));
			if (!takes) missed.push((control.id || control.name || control.outerHTML.slice(0, 80)) + " at point " + i + ": " + (hit?.outerHTML.slice(0, 60) ?? "outside of the window"));
		}
	}
	return missed.join("\n");
})()`

// typed lists the fields of a page that take letters: where to press near their lower
// right corner.
const typed = `(() => {
	window.fields = [...document.querySelectorAll("main :is(code-editor, textarea, input:is(:not([type]), [type=text], [type=search], [type=email], [type=tel], [type=url], [type=password], [type=number])):not([hidden], :disabled, :read-only:not(code-editor))")].filter((field) => field.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
	return window.fields.length;
})()`

// place brings a field into the window, and returns a point near its lower right
// corner.
const place = `(async (field) => {
	field.scrollIntoView({ block: "center", behavior: "instant" });
	await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	const box = field.getBoundingClientRect();
	window.had = field.value;
	return [box.left + box.width * 5 / 6, box.top + box.height * 5 / 6, scrollY];
})`

// Points presses every control of the page at nine points of its area, and types into
// every field after a press near its lower right corner. It returns a line for each
// press that another element takes, and for each key that types nothing.
func Points(t *testing.T, ctx context.Context) string {
	t.Helper()
	var missed []string
	if lines := Evaluate[string](t, ctx, points); lines != "" {
		missed = append(missed, lines)
	}
	for i := range Evaluate[int](t, ctx, typed) {
		field := fmt.Sprintf("window.fields[%d]", i)
		at := Evaluate[[]float64](t, ctx, place+"("+field+")")
		if err := chromedp.Do(ctx, chromedp.MouseClickXY(at[0], at[1]), chromedp.KeyEvent("7")); err != nil {
			t.Fatal(err)
		}
		arrived := `(() => { const field = ` + field + `; const full = field.maxLength > 0 && window.had.length >= field.maxLength;
			return field.value.length === window.had.length + 1 || full || !field.isConnected ? "" : (field.id || field.name) + " takes no letter"; })()`
		if said := Evaluate[string](t, ctx, arrived); said != "" {
			missed = append(missed, said)
		}
	}
	return strings.Join(missed, "\n")
}
