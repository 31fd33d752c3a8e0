package portal

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"time"

	"heliograph/app/spec/markdown"
	"heliograph/views/portal"
	"heliograph/views/ui"
)

// prose renders Markdown for a page.
func prose(source string) ui.HTML { return ui.HTML(markdown.Render(source)) }

var (
	paragraph = regexp.MustCompile(`(?s)<p>(.*?)</p>`)
	tag       = regexp.MustCompile(`<[^>]*>`)
	sentence  = regexp.MustCompile(`[.!?](\s|$)`)
)

// maxSummary is how much of a description search engines show, in bytes.
const maxSummary = 160

// summary is the beginning of a Markdown text in plain words: as many whole
// sentences of its first paragraph as fit, at least one, cut between words
// where that one is too long.
func summary(source string) string {
	match := paragraph.FindStringSubmatch(markdown.Render(source))
	if match == nil {
		return ""
	}
	text := strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(match[1], ""))), " ")
	if len(text) <= maxSummary {
		return text
	}
	end := 0
	for _, at := range sentence.FindAllStringIndex(text, -1) {
		if at[0] < maxSummary {
			end = at[0] + 1
		}
	}
	if end > 0 {
		return text[:end]
	}
	return text[:strings.LastIndexByte(text[:maxSummary], ' ')] + " …"
}

// first is the first sentence of a Markdown text in plain words.
func first(source string) string {
	text := summary(source)
	if at := sentence.FindStringIndex(text); at != nil {
		return text[:at[0]+1]
	}
	return text
}

// day writes a date (yyyy-mm-dd) as readers see it; other text stays.
func day(date string) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return readable(t)
}

func readable(t time.Time) string { return t.UTC().Format("2 January 2006") }

func publishedAt(t time.Time) portal.Published {
	return portal.Published{On: readable(t), ISO: t.UTC().Format(time.RFC3339)}
}

// count writes a number with the noun that agrees with it.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// slug makes a text fit for an id.
func slug(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(text))
}
