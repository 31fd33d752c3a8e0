package web_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// entriesOf returns the ids of the entries of a page of error codes.
func entriesOf(t *testing.T, page *goquery.Selection) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	page.Find("[id^=error-]").Each(func(_ int, s *goquery.Selection) { ids[s.AttrOr("id", "")] = true })
	if len(ids) < 5 {
		t.Fatalf("the page of error codes has the entries %v", slices.Sorted(maps.Keys(ids)))
	}
	return ids
}

// mentioned matches an error code in a text: after the word code, or too long to be
// anything else.
var mentioned = regexp.MustCompile(`\bcodes? (\d{1,7})\b|\b(1[23]\d{4}|80\d{3})\b`)

// Every error code that a guide or the text of a version or an operation mentions
// links to its entry, and each entry is there.
func TestMentionedCodesLinkToTheirEntries(t *testing.T) {
	t.Parallel()
	reader := readSeed(t)
	pages := map[string][]string{}
	for product, version := range map[string]string{"business-messaging": "3.0", "sms": "1.0", "rcs": "1.0"} {
		base := "/docs/" + product + "/" + version
		pages[base+"/errors"] = []string{base, base + "/" + map[string]string{"business-messaging": "send-message", "sms": "submit-sms", "rcs": "send-message"}[product]}
		reader.Get("/productguide").Find("main a[href^='/productguide/" + product + "/']").Each(func(_ int, a *goquery.Selection) {
			pages[base+"/errors"] = append(pages[base+"/errors"], a.AttrOr("href", ""))
		})
	}
	links := 0
	for list, texts := range pages {
		entries := entriesOf(t, reader.Get(list).Find("main"))
		for _, path := range texts {
			text := reader.Get(path).Find("main .prose")
			text.Find("a[href^='" + list + "#']").Each(func(_ int, a *goquery.Selection) {
				links++
				if _, id, _ := strings.Cut(a.AttrOr("href", ""), "#"); !entries[id] {
					t.Errorf("%s links to %s of %s, which is not there", path, id, list)
				}
			})
			text.Find("a, pre, h2, h3, h4").Remove()
			for _, m := range mentioned.FindAllStringSubmatch(text.Text(), -1) {
				if code := m[1] + m[2]; entries["error-"+code] {
					t.Errorf("%s mentions code %s without a link: %q", path, code, m[0])
				}
			}
		}
	}
	if links < 60 {
		t.Errorf("only %d codes link to their entries", links)
	}
}
