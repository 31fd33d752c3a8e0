package reader

import (
	"container/list"
	"sync"

	"heliograph/app/web/page"
	"heliograph/views/ui"
)

// The limits of a cache, in bytes. Compressed pages come first, because nearly
// all clients accept them. Pages without room for a plain copy are inflated for
// other clients.
const (
	zippedBudget = 32 << 20
	plainBudget  = 16 << 20
)

// cache keeps the pages that were requested last, as many as fit. Concurrent
// requests for a page that is not in the cache wait for one rendering.
type cache struct {
	lock   sync.Mutex
	pages  map[key]*list.Element
	recent *list.List // of *rendered, last asked first
	zipped int        // bytes held
	plain  int
}

// key identifies a page, or a region of it, by its choices and by the release
// of its content. A new release gives a page a new key, so releases empty
// nothing. Pages of older releases are dropped when room is needed.
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

// find returns the content of a page, which waits for its rendering; nil if the
// cache does not have the page.
func (c *cache) find(k key) func() (*page.Content, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	at := c.pages[k]
	if at == nil {
		return nil
	}
	c.recent.MoveToFront(at)
	return at.Value.(*rendered).content
}

// get returns a page. It renders the page if the cache does not have it.
func (c *cache) get(k key, render func() (page.File, error)) (*page.Content, error) {
	if content := c.find(k); content != nil {
		return content()
	}
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
			return page.Prepare(c.keep(p, f)), nil
		})
		at = c.recent.PushFront(p)
		c.pages[k] = at
	}
	c.lock.Unlock()
	return at.Value.(*rendered).content()
}

// drop removes a page that could not be rendered.
func (c *cache) drop(p *rendered) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if at := c.pages[p.key]; at != nil && at.Value == p {
		c.recent.Remove(at)
		delete(c.pages, p.key)
	}
}

// keep counts the size of a page and drops the pages that were not requested
// for the longest time. It returns the file without its plain body where that
// has no room.
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
