package portal

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/views/layout"
	views "heliograph/views/portal"
)

// plainBudget is how many bytes of a snapshot's pages are kept uncompressed as
// well, first come, first kept. Pages beyond it are inflated for the few
// clients that do not take gzip.
const plainBudget = 16 << 20

// variants are a page in each language that samples are written in, in the
// order of spec.Languages; a page without samples has one.
type variants []func() (*page.Content, error)

// book is every page of one snapshot, by path. Its map never changes, so that
// readers share it without a lock, and it has exactly the pages that exist, so
// that no request can make it grow.
type book struct {
	site
	pages map[string]variants
	plain atomic.Int64 // what is left of plainBudget
}

func newBook(s site) *book {
	b := &book{site: s, pages: map[string]variants{}}
	b.plain.Store(plainBudget)
	b.add("/", func() page.View {
		home := newHomePage(s)
		return page.View{Frame: home.Page, Body: views.Home(home)}
	})
	for _, p := range s.snapshot.Products {
		b.add(productPath(p), func() page.View {
			product := newProductPage(s, p)
			return page.View{Frame: product.Page, Body: views.Product(product)}
		})
		for _, v := range documented(p) {
			at := place{p, v}
			b.add(at.path(), func() page.View {
				version := newVersionPage(s, at)
				return page.View{Frame: version.Page, Body: views.Version(version)}
			})
			for _, e := range v.Endpoints() {
				for _, l := range languages {
					b.add(at.endpoint(e), func() page.View {
						endpoint := newEndpointPage(s, at, e, l)
						return page.View{Frame: endpoint.Page, Body: views.Endpoint(endpoint)}
					})
				}
			}
		}
	}
	return b
}

// add puts a page, or one more variant of it, into the book, to be rendered by
// the first request for it.
func (b *book) add(path string, view func() page.View) {
	b.pages[path] = append(b.pages[path], sync.OnceValues(func() (*page.Content, error) {
		varies := ""
		if len(b.pages[path]) > 1 {
			varies = echo.HeaderCookie
		}
		content, err := b.render(view(), varies)
		if err != nil {
			return nil, fmt.Errorf("rendering %s: %w", path, err)
		}
		return content, nil
	}))
}

func (b *book) render(v page.View, varies string) (*page.Content, error) {
	var body, zipped bytes.Buffer
	if err := layout.Document(v.Frame, v.Body).Render(context.Background(), &body); err != nil {
		return nil, err
	}
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(body.Bytes()); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body.Bytes())
	f := page.File{
		Gzip:        bytes.Clone(zipped.Bytes()),
		ContentType: echo.MIMETextHTMLCharsetUTF8,
		ETag:        `"` + hex.EncodeToString(sum[:12]) + `"`,
		// Caches may keep a page and must ask before they show it again, so
		// that a release is seen at once; asking costs a 304.
		CacheControl: page.CacheRevalidate,
		Varies:       varies,
	}
	if b.plain.Add(-int64(body.Len())) >= 0 {
		f.Body = bytes.Clone(body.Bytes())
	}
	return page.NewContent(f), nil
}
