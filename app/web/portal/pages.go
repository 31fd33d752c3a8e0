package portal

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/spec"
	"heliograph/app/web/page"
	views "heliograph/views/portal"
)

// book is every page of one snapshot, by path. Its map never changes, so that
// readers share it without a lock, and it has exactly the pages that exist.
type book struct {
	site
	pages map[string]source
	kept  *cache
}

// source makes the page of one address, or another file.
type source struct {
	view    func(asked) page.View
	file    func(choice) ([]byte, error) // instead of a view
	kind    string                       // content type of the file
	samples bool                         // it has samples, in a language that readers choose
	servers []spec.Server                // that samples call
	fields  bool                         // it has fields, which addresses name
}

func newBook(s site) *book {
	b := &book{site: s, pages: map[string]source{}, kept: newCache()}
	b.pages["/"] = source{samples: true, view: func(a asked) page.View {
		home := newHomePage(s, a.choice)
		return page.View{Frame: home.Page, Body: views.Home(home)}
	}}
	b.pages["/sitemap.xml"] = source{file: func(choice) ([]byte, error) { return s.sitemap() }, kind: echo.MIMEApplicationXMLCharsetUTF8}
	b.addGuides()
	for _, p := range s.snapshot.Products {
		b.pages[productPath(p)] = source{view: func(asked) page.View {
			product := newProductPage(s, p)
			return page.View{Frame: product.Page, Body: views.Product(product)}
		}}
		b.addText(productPath(p), source{}, func(choice) string { return productText(s, p) })
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
	b.addText(at.path(), source{}, func(choice) string { return versionText(b.site, at) })
	for _, e := range at.version.Operations() {
		s := source{samples: !e.Callback, servers: e.Servers, fields: true, view: func(a asked) page.View {
			endpoint := newEndpointPage(b.site, at, e, a)
			return page.View{Frame: endpoint.Page, Body: views.Endpoint(endpoint)}
		}}
		b.pages[at.endpoint(e)] = s
		b.addText(at.endpoint(e), s, func(c choice) string { return endpointText(b.site, at, e, c) })
	}
	for _, schema := range at.version.API.Schemas {
		b.pages[at.schema(schema.Name)] = source{fields: true, view: func(a asked) page.View {
			found := newSchemaPage(b.site, at, schema, a)
			return page.View{Frame: found.Page, Body: views.Schema(found)}
		}}
		b.addText(at.schema(schema.Name), source{}, func(choice) string { return schemaText(b.site, at, schema) })
	}
}

// content is a page or a region of it in one choice, from the cache where it is
// there.
func (b *book) content(s source, k key) (*page.Content, error) {
	return b.kept.get(k, func() (page.File, error) {
		f, err := s.render(k)
		if err != nil {
			return f, fmt.Errorf("rendering %s: %w", k.path, err)
		}
		var varies []string
		if s.samples {
			varies = append(varies, echo.HeaderCookie)
		}
		if s.file == nil {
			varies = append(varies, page.VaryFragment)
		}
		f.Varies = strings.Join(varies, ", ")
		return f, nil
	})
}

func (s source) render(k key) (f page.File, err error) {
	if s.file != nil {
		body, err := s.file(k.choice)
		if err != nil {
			return f, err
		}
		return pack(body, s.kind)
	}
	body, err := draw(context.Background(), s.view(asked{choice: k.choice}), k.region)
	if err != nil {
		return f, err
	}
	return pack(body, echo.MIMETextHTMLCharsetUTF8)
}

// pack compresses a file that never changes, as well as can be.
func pack(body []byte, contentType string) (f page.File, err error) {
	var zipped bytes.Buffer
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return f, err
	}
	if _, err := z.Write(body); err != nil {
		return f, err
	}
	if err := z.Close(); err != nil {
		return f, err
	}
	sum := sha256.Sum256(body)
	return page.File{
		Body:        body,
		Gzip:        bytes.Clone(zipped.Bytes()),
		ContentType: contentType,
		ETag:        `"` + hex.EncodeToString(sum[:12]) + `"`,
		// Caches may keep a page and must ask before they show it again, so
		// that a release is seen at once; asking costs a 304.
		CacheControl: page.CacheRevalidate,
	}, nil
}
