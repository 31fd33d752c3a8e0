package viewtest

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestCheckFindsWhatIsBanned(t *testing.T) {
	t.Parallel()
	for html, findings := range map[string]int{
		`<a hx-get="/x" hx-target="#main">x</a>`:                                          0,
		`<p style="color:red">x</p>`:                                                      1,
		`<p onclick="x()">x</p>`:                                                          1,
		`<p hx-on:click="x()">x</p>`:                                                      1,
		`<p hx-on--before-request="x()">x</p>`:                                            1,
		`<p data-hx-get="/x">x</p>`:                                                       1,
		`<p hx-confirm="Sure?">x</p>`:                                                     1,
		`<p hx-vals='{"a":1}'>x</p>`:                                                      0,
		`<p hx-vals=" js:{a: 1}">x</p>`:                                                   1,
		`<p hx-headers="javascript:{a: 1}">x</p>`:                                         1,
		`<p hx-trigger="click[ctrlKey]" hx-get="/x">x</p>`:                                1,
		`<p hx-trigger="sse:jobs" hx-get="/x">x</p>`:                                      1,
		`<p hx-trigger="load, every 5s" hx-get="/x">x</p>`:                                1,
		`<p hx-trigger="sse:jobs" hx-get="/x" hx-headers='{"X-Live":"true"}'>x</p>`:       0,
		`<p hx-headers='{"X-Live":"true"}'><a href="/x">x</a></p>`:                        1,
		`<form hx-trigger="input changed delay:250ms, change, submit" hx-get="/"></form>`: 0,
	} {
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(html))
		if err != nil {
			t.Fatal(err)
		}
		if got := Check(doc); len(got) != findings {
			t.Errorf("%s: %q, want %d", html, got, findings)
		}
	}
}
