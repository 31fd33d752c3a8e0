package admin_test

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// A text that changed is shown as readers see it, before and after, block by block.
func TestRenderedDifference(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Write **two** letters.\n\n```\nfirst\n\nsecond\n```\n\nThen post it.\n"))
	sides := p.vic.Get(p.set()).Find(".difference .sides .side")
	var got []string
	sides.Each(func(_ int, s *goquery.Selection) {
		got = append(got, s.AttrOr("class", "")+": "+strings.TrimSpace(s.Find(".prose").Text()))
	})
	want := []string{"side was changed: Write one letter.", "side is changed: Write two letters.", "side was: ", "side is changed: TextCopyfirst\n\nsecond", "side was: Then post it.", "side is: Then post it."}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("the sides are %q, want %q", got, want)
	}
	if sides.Find("strong").Length() != 2 {
		t.Error("the text is not rendered")
	}
}
