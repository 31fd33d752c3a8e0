package markdown

import (
	"strings"
	"testing"
)

// FuzzRender checks that no output can run code.
func FuzzRender(f *testing.F) {
	f.Add("# a\n![b](//c)<d>")
	for _, source := range hostile {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		checkHarmless(t, source, Render(source))
		text, headings := RenderPage(source, "")
		checkHarmless(t, source, text)
		for _, h := range headings {
			if !strings.Contains(text, `id="`+h.ID+`"`) {
				t.Errorf("%q: no heading has the id %q", source, h.ID)
			}
		}
	})
}
