package reader

import (
	"fmt"
	"testing"

	"heliograph/app/web/page"
)

// A cache keeps what was asked for last within its budget, and makes again what
// it let go of.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	c, made := newCache(), map[string]int{}
	get := func(path string) {
		t.Helper()
		content, err := c.get(key{path: path}, func() (page.File, error) {
			made[path]++
			return page.File{Body: make([]byte, 2*size), Gzip: make([]byte, size), ETag: `"a"`}, nil
		})
		if err != nil || content == nil {
			t.Fatal(err)
		}
	}
	for i := range 2 * zippedBudget / size {
		get("often")
		get(fmt.Sprint(i))
	}
	if c.zipped > zippedBudget || c.plain > plainBudget || len(c.pages) != c.recent.Len() {
		t.Errorf("it holds %d and %d bytes in %d and %d pages", c.zipped, c.plain, len(c.pages), c.recent.Len())
	}
	if made["often"] != 1 {
		t.Errorf("a page that is asked for all the time was made %d times", made["often"])
	}
	get("0")
	if made["0"] != 2 {
		t.Errorf("a page that nobody asked for is still there")
	}
}
