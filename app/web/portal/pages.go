package portal

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/labstack/echo/v4"

	"heliograph/app/spec"
	"heliograph/app/web/page"
	"heliograph/views/layout"
	views "heliograph/views/portal"
)

// book is every page of one snapshot, by path. Its map never changes, so that
// readers share it without a lock, and it has exactly the pages that exist.
type book struct {
	site
	pages map[string]source
	kept  *cache
}

// source makes the page of one address.
type source struct {
	view    func(asked) page.View
	samples bool          // it has samples, in a language that readers choose
	servers []spec.Server // that samples call
	fields  bool          // it has fields, which addresses name
}

func newBook(s site) *book {
	b := &book{site: s, pages: map[string]source{}, kept: newCache()}
	b.pages["/"] = source{samples: true, view: func(a asked) page.View {
		home := newHomePage(s, a.choice)
		return page.View{Frame: home.Page, Body: views.Home(home)}
	}}
	b.addGuides()
	for _, p := range s.snapshot.Products {
		b.pages[productPath(p)] = source{view: func(asked) page.View {
			product := newProductPage(s, p)
			return page.View{Frame: product.Page, Body: views.Product(product)}
		}}
		for _, v := range documented(p) {
			b.addVersion(place{p, v})
		}
	}
	return b
}

func (b *book) addVersion(at place) {
	b.pages[at.path()] = source{view: func(asked) page.View {
		version := newVersionPage(b.site, at)
		return page.View{Frame: version.Page, Body: views.Version(version)}
	}}
	for _, e := range at.version.Endpoints() {
		b.pages[at.endpoint(e)] = source{samples: true, servers: e.Servers, fields: true, view: func(a asked) page.View {
			endpoint := newEndpointPage(b.site, at, e, a)
			return page.View{Frame: endpoint.Page, Body: views.Endpoint(endpoint)}
		}}
	}
	for _, schema := range at.version.API.Schemas {
		b.pages[at.schema(schema.Name)] = source{fields: true, view: func(a asked) page.View {
			found := newSchemaPage(b.site, at, schema, a)
			return page.View{Frame: found.Page, Body: views.Schema(found)}
		}}
	}
}

// content is a page in one choice, from the cache where it is there.
func (b *book) content(path string, s source, c choice) (*page.Content, error) {
	return b.kept.get(key{path, c}, func() (page.File, error) {
		f, err := render(s.view(asked{choice: c}))
		if err != nil {
			return f, fmt.Errorf("rendering %s: %w", path, err)
		}
		if s.samples {
			f.Varies = echo.HeaderCookie
		}
		return f, nil
	})
}

func render(v page.View) (f page.File, err error) {
	var body, zipped bytes.Buffer
	if err := layout.Document(v.Frame, v.Body).Render(context.Background(), &body); err != nil {
		return f, err
	}
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return f, err
	}
	if _, err := z.Write(body.Bytes()); err != nil {
		return f, err
	}
	if err := z.Close(); err != nil {
		return f, err
	}
	sum := sha256.Sum256(body.Bytes())
	return page.File{
		Body:        bytes.Clone(body.Bytes()),
		Gzip:        bytes.Clone(zipped.Bytes()),
		ContentType: echo.MIMETextHTMLCharsetUTF8,
		ETag:        `"` + hex.EncodeToString(sum[:12]) + `"`,
		// Caches may keep a page and must ask before they show it again, so
		// that a release is seen at once; asking costs a 304.
		CacheControl: page.CacheRevalidate,
	}, nil
}
