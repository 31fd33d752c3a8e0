package reader

import (
	"strings"
	"time"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/reference"
	"heliograph/views/reader"
	"heliograph/views/ui"
)

// prose renders Markdown for a page.
func prose(source string) ui.HTML { return ui.HTML(markdown.Render(source)) }

func publishedAt(t time.Time) reader.Published {
	return reader.Published{On: reference.Date(t), ISO: t.UTC().Format(time.RFC3339)}
}

// slug turns a text into an id.
func slug(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(text))
}
