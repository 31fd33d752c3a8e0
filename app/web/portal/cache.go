package portal

import (
	"container/list"
	"sync"

	"heliograph/app/web/page"
	"heliograph/views/ui"
)

// What a cache holds at most, in bytes. Compressed pages come first: nearly all
// clients take them. Pages that have no room uncompressed are inflated for the
// others.
const (
	zippedBudget = 32 << 20
	plainBudget  = 16 << 20
)

// cache keeps the pages that were asked for last, as many as fit. Readers who
// come together for one that is not there wait for one rendering.
type cache struct {
	lock   sync.Mutex
	pages  map[key]*list.Element
	recent *list.List // of *rendered, last asked first
	zipped int        // bytes held
	plain  int
}

// key names a page or a region of it in one choice, as it is since a release of
// what it shows. A page of another release is another page, so a release empties
// nothing: what it replaced is not asked for again and goes when room is needed.
type key struct {
	path string
	release
	choice
	region ui.Region // empty for the whole page
}

// release holds the stamps of what a page shows: the products in its header,
// its own product or everything, and the list of guides. Those that a page does
// not show are zero.
type release struct{ menu, scope, guides uint64 }

type rendered struct {
	key
	content       func() (*page.Content, error)
	zipped, plain int
}

func newCache() *cache { return &cache{pages: map[key]*list.Element{}, recent: list.New()} }

// get returns a page and renders it where it is not there.
func (c *cache) get(k key, render func() (page.File, error)) (*page.Content, error) {
	c.lock.Lock()
	at := c.pages[k]
	if at == nil {
		p := &rendered{key: k}
		p.content = sync.OnceValues(func() (*page.Content, error) {
			f, err := render()
			if err != nil {
				c.drop(p) // the next request tries again
				return nil, err
			}
			return page.NewContent(c.keep(p, f)), nil
		})
		at = c.recent.PushFront(p)
		c.pages[k] = at
	} else {
		c.recent.MoveToFront(at)
	}
	c.lock.Unlock()
	return at.Value.(*rendered).content()
}

// drop lets go of a page that could not be made.
func (c *cache) drop(p *rendered) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if at := c.pages[p.key]; at != nil && at.Value == p {
		c.recent.Remove(at)
		delete(c.pages, p.key)
	}
}

// keep counts what a page takes and lets go of those that nobody asked for
// longest. It returns the file without its plain body where that has no room.
func (c *cache) keep(p *rendered, f page.File) page.File {
	c.lock.Lock()
	defer c.lock.Unlock()
	at := c.pages[p.key]
	if at == nil || at.Value != p {
		f.Body = nil // let go while it was rendered
		return f
	}
	p.zipped = len(f.Gzip)
	if c.plain+len(f.Body) > plainBudget {
		f.Body = nil
	}
	p.plain = len(f.Body)
	c.zipped += p.zipped
	c.plain += p.plain
	for c.zipped > zippedBudget && c.recent.Back() != at {
		last := c.recent.Remove(c.recent.Back()).(*rendered)
		delete(c.pages, last.key)
		c.zipped -= last.zipped
		c.plain -= last.plain
	}
	return f
}
