package reader_test

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// Every kind of request body has an example, so that readers who choose it in the
// reference see the request and its response.
func TestEveryKindOfBodyHasAnExample(t *testing.T) {
	t.Parallel()
	p := seeded(t)
	kinds := 0
	for _, product := range p.documentation.Snapshot().Products {
		for _, v := range product.Versions {
			for _, op := range v.Endpoints() {
				path := "/docs/" + product.Slug + "/" + v.Slug + "/" + op.Slug
				p.page(t, path).Find("[aria-labelledby=body] .tabs > details").Each(func(_ int, kind *goquery.Selection) {
					kinds++
					id := kind.Find(".tab-panel").First().AttrOr("id", "")
					if _, chooses := kind.Find("summary").First().Attr("hx-get"); !chooses && !strings.Contains(id, ".") {
						t.Errorf("%s: no example has %s", path, id)
					}
				})
			}
		}
	}
	if kinds < 20 {
		t.Errorf("only %d kinds of bodies were found", kinds)
	}
}
