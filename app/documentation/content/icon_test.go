package content

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func svg(inside string) string { return `<svg viewBox="0 0 24 24">` + inside + `</svg>` }

// An icon is rebuilt: what draws is kept, and nothing else comes through.
func TestReadIcon(t *testing.T) {
	t.Parallel()
	icon, err := ReadIcon("<?xml version=\"1.0\"?>\n<!-- a note -->" + `<svg xmlns="http://www.w3.org/2000/svg" width="24" viewBox="0,0 24 24" fill="none" stroke="#000000" stroke-width="1.5" id="x" class="y">
		<title>Mail</title><metadata><x onload="a()"/></metadata>
		<g transform="translate(1 2)"><path id="a" d="M4 4h16v12H4z" data-x="1"/><circle cx="3" cy="4" r=".5" fill="currentColor"/></g>
	</svg>`)
	if err != nil {
		t.Fatal(err)
	}
	want := Icon{ViewBox: "0 0 24 24", Shapes: []Shape{{Name: "g", Attributes: map[string]string{"fill": "none", "stroke": "currentColor", "stroke-width": "1.5"}, Shapes: []Shape{
		{Name: "g", Attributes: map[string]string{"transform": "translate(1 2)"}, Shapes: []Shape{
			{Name: "path", Attributes: map[string]string{"d": "M4 4h16v12H4z"}},
			{Name: "circle", Attributes: map[string]string{"cx": "3", "cy": "4", "r": ".5", "fill": "currentColor"}},
		}},
	}}}}
	if diff := cmp.Diff(want, icon); diff != "" {
		t.Errorf("the icon (-want +got):\n%s", diff)
	}
}

// What acts, refers, hides or is too much is refused with what to change.
func TestHostileIconsAreRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"", "begin with <svg>"},
		{"hello", "begin with <svg>"},
		{"<html><svg/></html>", "begins with <html>"},
		{`<!DOCTYPE svg [<!ENTITY a "b">]>` + svg(`<path d="M0 0"/>`), "remove <!DOCTYPE>"},
		{svg(`<path d="&a;"/>`), "no SVG document"},
		{svg(`<path d="M0 0"/>`) + `<script/>`, "remove <script>"},
		{svg(`<path d="M0 0"/>`) + `<svg`, "no SVG document"},
		{svg(`<path d="M0 0">`), "no SVG document"},
		{svg(`<script>alert(1)</script>`), "remove <script>"},
		{svg(`<path d="M0 0"><animate/></path>`), "remove <animate>"},
		{svg(`<path d="M0 0"><path d="M0 0"/></path>`), "one after the other"},
		{svg(`<style>*{}</style>`), "remove <style>"},
		{svg(`<use href="#a"/>`), "remove <use>"},
		{svg(`<image href="https://example.com/a.png"/>`), "remove <image>"},
		{svg(`<foreignObject/>`), "remove <foreignObject>"},
		{svg(`<a href="javascript:x()"><path d="M0 0"/></a>`), "remove <a>"},
		{svg(`<text>Hello</text>`), "remove <text>"},
		{svg(`<defs><path d="M0 0"/></defs>`), "remove <defs>"},
		{svg(`<path d="M0 0" onclick="x()"/>`), "remove the attribute onclick"},
		{svg(`<path d="M0 0" OnClick="x()"/>`), "remove the attribute OnClick"},
		{svg(`<g xlink:href="#a"><path d="M0 0"/></g>`), "remove the attribute href"},
		{svg(`<path d="M0 0" style="fill:red"/>`), "in place of style"},
		{svg(`<path d="M0 0" fill="url(#a)"/>`), "one colour"},
		{svg(`<path d="M0 0" fill="red"/>`), "one colour"},
		{svg(`<path d="M0 0" transform="translate(1);x"/>`), "value of transform"},
		{svg(`<path d="url(x)"/>`), "value of d"},
		{svg(`<rect width="100%"/>`), "value of width"},
		{svg(`<polygon points="1,2 a"/>`), "value of points"},
		{svg(""), "draws nothing"},
		{svg("<g><g/></g>"), "draws nothing"},
		{`<svg><path d="M0 0"/></svg>`, "give the drawing a viewBox"},
		{`<svg viewBox="0 0 24"><path d="M0 0"/></svg>`, "give the drawing a viewBox"},
		{`<svg viewBox="0 0 24 a"><path d="M0 0"/></svg>`, "four numbers"},
		{`<svg viewBox="0 0 24 24 24"><path d="M0 0"/></svg>`, "four numbers"},
		{`<svg viewBox="0 0 0 24"><path d="M0 0"/></svg>`, "give the drawing a viewBox"},
		{`<svg viewBox="0 0 NaN 24"><path d="M0 0"/></svg>`, "four numbers"},
		{`<svg viewBox="0 0 240 24"><path d="M0 0"/></svg>`, "twice as long"},
		{svg(strings.Repeat(`<path d="M0 0"/>`, 101)), "more than 100 shapes"},
		{svg(strings.Repeat("<g>", 9) + `<path d="M0 0"/>` + strings.Repeat("</g>", 9)), "within each other"},
		{svg(`<path d="` + strings.Repeat("M0 0", 3000) + `"/>`), "at most 8192"},
	} {
		if _, err := ReadIcon(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.60s: %v, want %q", tt.text, err, tt.want)
		}
	}
}

// A product with such an icon is not published, one without an icon is.
func TestIconOfAProductIsChecked(t *testing.T) {
	t.Parallel()
	for icon, want := range map[string]int{"": 0, svg(`<path d="M0 0"/>`): 0, svg(`<script/>`): 1} {
		raw, err := json.Marshal(Product{Name: "Mail", Icon: icon})
		if err != nil {
			t.Fatal(err)
		}
		if got := Check(KindProduct, raw); len(got) != want || want == 1 && (got[0].Field != "icon" || !strings.Contains(got[0].Message, "Remove <script>")) {
			t.Errorf("%q: %v", icon, got)
		}
	}
}
