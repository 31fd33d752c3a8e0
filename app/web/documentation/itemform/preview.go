package itemform

import (
	"cmp"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/markdown"
	itemsview "heliograph/views/documentation/items"
	"heliograph/views/ui"
)

// Rendered names the field of a kind that readers see as a text, empty for kinds
// without one.
func Rendered(kind string) string {
	return map[string]string{
		content.KindGuide: "text", content.KindProduct: "description", content.KindVersion: "description", content.KindCategory: "description",
		content.KindEndpoint: "purpose", content.KindCallback: "purpose",
	}[kind]
}

// Preview is the text of a form as readers will see it.
func Preview(publicURL, kind string, values map[string]string) itemsview.Shown {
	text := strings.ReplaceAll(values[Rendered(kind)], "\r\n", "\n")
	s := itemsview.Shown{Title: cmp.Or(values["title"], values["name"]), Lead: values["summary"]}
	if kind == content.KindGuide {
		html, _ := markdown.RenderPage(strings.ReplaceAll(text, openapi.ExampleURL, publicURL), "")
		s.Text = ui.HTML(html)
	} else {
		s.Text = ui.HTML(markdown.Render(text))
	}
	return s
}
