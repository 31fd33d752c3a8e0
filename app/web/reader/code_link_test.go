package reader

import (
	"testing"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
)

// Error codes are linked in text alone: attributes, comments and code blocks stay as
// they are, byte for byte.
func TestCodesAreLinkedInText(t *testing.T) {
	t.Parallel()
	fault := model.Fault{Remedy: "Send it again."}
	at := place{&published.Product{Slug: "lamps"}, &published.Version{Slug: "1.0", Faults: map[string]model.Fault{"131026": fault, "402": fault}}}
	link := func(code string) string {
		return `<a href="/docs/lamps/1.0/errors#error-` + code + `">` + code + `</a>`
	}
	for given, want := range map[string]string{
		`<p>See 131026.</p>`:                                              `<p>See ` + link("131026") + `.</p>`,
		`<p>Status 402, code 402</p>`:                                     `<p>Status 402, code ` + link("402") + `</p>`,
		`<p>codes <code>131026</code> or <em>402</em></p>`:                `<p>codes <code>` + link("131026") + `</code> or <em>` + link("402") + `</em></p>`,
		`<p>code</p><p>402</p>`:                                           `<p>code</p><p>402</p>`,
		`<td data-label="Code">402</td><td>402</td>`:                      `<td data-label="Code">` + link("402") + `</td><td>402</td>`,
		`<td data-label="Codes">402</td>`:                                 `<td data-label="Codes">402</td>`,
		`<p title="over > 131026">See&nbsp;&lt;131026&gt;</p>`:            `<p title="over > 131026">See&nbsp;&lt;` + link("131026") + `&gt;</p>`,
		`<!-- <p> 131026 --><img src="a.png" alt="131026"/><br/>`:         `<!-- <p> 131026 --><img src="a.png" alt="131026"/><br/>`,
		`<pre>131026</pre><h2 ID=x>131026</h2><a href=y>131026</a>131026`: `<pre>131026</pre><h2 ID=x>131026</h2><a href=y>131026</a>` + link("131026"),
	} {
		if got := at.linkCodes(given); got != want {
			t.Errorf("%s becomes\n%s, want\n%s", given, got, want)
		}
	}
}
