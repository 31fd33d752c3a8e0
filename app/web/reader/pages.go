package reader

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/web/page"
	"heliograph/app/web/prepared"
	views "heliograph/views/reader"
)

// sourceKind is the kind of page at an address.
type sourceKind uint8

const (
	homeSource sourceKind = iota
	sitemapSource
	guidesSource
	guideSource
	errorsSource
	productSource
	versionSource
	operationSource
	schemaSource
	fileSource
	setupSource
	compareSource
	changelogSource
)

// source makes the page of one address. It names the content of the page.
// Nothing is read or compiled before the page is rendered.
type source struct {
	kind  sourceKind
	text  bool // the page as Markdown
	place      // of versions, operations and schemas; guides and products have its product

	guide      int // index among the guides of the product
	operation  *published.Operation
	schema     string
	file       fileForm // of a file
	comparison comparison
	changelog  changelog
}

// hasSamples reports whether the page has code in a language that readers
// choose.
func (src source) hasSamples() bool {
	switch src.kind {
	case homeSource:
		return true
	case guideSource:
		return !src.text
	case operationSource:
		return !src.operation.Callback
	}
	return false
}

// hasFields reports whether the page has fields, which addresses can name.
func (src source) hasFields() bool {
	return !src.text && (src.kind == operationSource || src.kind == schemaSource)
}

// hasText reports whether the page is available as Markdown too.
func (src source) hasText() bool {
	return src.kind != sitemapSource && src.kind != fileSource
}

// isFile reports whether the page is a file. Files have no regions.
func (src source) isFile() bool {
	return src.text || src.changelog.form != "" || src.kind == sitemapSource || src.kind == fileSource
}

// servers lists the servers that the samples of the page call.
func (src source) servers() []model.Server {
	if src.kind != operationSource {
		return nil
	}
	return src.version.ServersOf(src.operation)
}

// release returns the stamps of the page's content.
func (src source) release(s *site) release {
	r := release{menu: s.menu}
	switch src.kind {
	case setupSource: // has nothing of the documentation
	case homeSource, sitemapSource:
		r.scope = s.snapshot.Stamp
	case guidesSource:
		r.guides = s.guides
	case guideSource:
		r.scope, r.guides = src.product.Stamp, s.guides
	case fileSource:
		r.menu, r.scope = s.name, s.snapshot.Stamp
		if src.product != nil {
			r.scope = src.product.Stamp
		}
	default:
		r.scope = src.product.Stamp
	}
	return r
}

// content returns a page or a region of it in one choice, from the cache if it
// is there.
func (p *Pages) content(ctx context.Context, s *site, at address) (*prepared.Content, error) {
	k := key{path: at.path, release: at.source.release(s), choice: at.choice, region: at.region}
	if content := p.kept.find(k); content != nil {
		return content()
	}
	return p.render(ctx, s, at, k)
}

// render renders a page or a region of it into the cache. It is apart from
// content so that a page in the cache costs no closure.
func (p *Pages) render(ctx context.Context, s *site, at address, k key) (*prepared.Content, error) {
	return p.kept.get(k, func() (prepared.File, error) {
		f, err := at.source.render(context.WithoutCancel(ctx), s, k)
		if err != nil {
			return f, fmt.Errorf("rendering %s: %w", at.path, err)
		}
		var varies []string
		if at.source.hasSamples() {
			varies = append(varies, echo.HeaderCookie)
		}
		if !at.source.isFile() {
			varies = append(varies, page.VaryFragment)
		}
		if at.source.isNegotiated() {
			varies = append(varies, echo.HeaderAccept)
		}
		f.Varies = strings.Join(varies, ", ")
		return f, nil
	})
}

func (src source) render(ctx context.Context, s *site, k key) (f prepared.File, err error) {
	if src.kind == sitemapSource {
		body, err := s.sitemap()
		if err != nil {
			return f, err
		}
		return pack(body, echo.MIMEApplicationXMLCharsetUTF8)
	}
	if src.kind == fileSource {
		body, err := src.fileBody(ctx, s)
		if err != nil {
			return f, err
		}
		return pack(body, contentTypes[src.file])
	}
	if src.changelog.form != "" {
		list, err := src.changelog.entries(ctx, src.product)
		if err != nil {
			return f, err
		}
		body, contentType, err := newFeed(s, src.product, src.changelog, list)
		if err != nil {
			return f, err
		}
		return pack(body, contentType)
	}
	if src.text {
		body, err := src.markdown(ctx, s, k.choice)
		if err != nil {
			return f, err
		}
		return pack([]byte(body), markdownType)
	}
	v, err := src.view(ctx, s, asked{choice: k.choice, region: k.region})
	if err != nil {
		return f, err
	}
	v.Frame.Image = s.picture(src, k.path, v.Frame)
	body, err := draw(context.Background(), v, k.region) // the same for every request
	if err != nil {
		return f, err
	}
	return pack(s.withPictures(body), echo.MIMETextHTMLCharsetUTF8)
}

// view returns the page as HTML.
func (src source) view(ctx context.Context, s *site, a asked) (v page.View, err error) {
	switch src.kind {
	case homeSource:
		var home views.HomePage
		home, err = newHomePage(ctx, s, a.choice)
		v = page.View{Frame: home.Page, Body: views.Home(home)}
	case guidesSource:
		all := newGuidesPage(s)
		v = page.View{Frame: all.Page, Body: views.Guides(all)}
	case guideSource:
		guide := newGuidePage(s, src.product, src.guide, a.choice)
		v = page.View{Frame: guide.Page, Body: views.Guide(guide)}
	case setupSource:
		setup := newSetupPage(s)
		v = page.View{Frame: setup.Page, Body: views.Setup(setup)}
	case productSource:
		var product views.ProductPage
		product, err = newProductPage(ctx, s, src.product)
		v = page.View{Frame: product.Page, Body: views.Product(product)}
	case errorsSource:
		list, err := errorEntries(ctx, src.place)
		if err != nil {
			return v, err
		}
		all := newErrorsPage(s, src.place, list, a)
		return page.View{Frame: all.Page, Body: views.Errors(all)}, nil
	case versionSource:
		var o overview
		o, err = src.overview(ctx)
		version := newVersionPage(s, src.place, o, a)
		v = page.View{Frame: version.Page, Body: views.Version(version)}
	case operationSource:
		e, err := src.compile(ctx, src.operation)
		if err != nil {
			return v, err
		}
		endpoint := newEndpointPage(s, src.place, e, a)
		return page.View{Frame: endpoint.Page, Body: views.Endpoint(endpoint)}, nil
	case schemaSource:
		named, err := src.namedSchema(ctx, src.schema)
		if err != nil {
			return v, err
		}
		schema := newSchemaPage(s, src.place, named, a)
		return page.View{Frame: schema.Page, Body: views.Schema(schema)}, nil
	case changelogSource:
		list, err := src.changelog.entries(ctx, src.product)
		if err != nil {
			return v, err
		}
		log := newChangelogPage(s, src.product, src.changelog, list)
		return page.View{Frame: log.Page, Body: views.Changelog(log)}, nil
	case compareSource:
		report, err := src.comparison.report(ctx)
		if err != nil {
			return v, err
		}
		compared := newComparePage(s, src.product, src.comparison, report)
		return page.View{Frame: compared.Page, Body: views.Compare(compared)}, nil
	}
	return v, err
}

// markdown returns the page as Markdown.
func (src source) markdown(ctx context.Context, s *site, c choice) (string, error) {
	switch src.kind {
	case setupSource:
		return setupText(s), nil
	case homeSource:
		return s.texts.Index(ctx, s.snapshot, nil)
	case guidesSource:
		return s.texts.Guides(s.snapshot), nil
	case guideSource:
		return s.texts.Guide(src.product, src.product.VisibleGuides()[src.guide]), nil
	case errorsSource:
		list, err := errorEntries(ctx, src.place)
		return s.errorsText(src.place, list), err
	case versionSource:
		return s.texts.Version(ctx, src.reference())
	case operationSource:
		return s.texts.Operation(ctx, src.reference(), src.operation, reference.Choice{Language: c.language, Server: c.server})
	case schemaSource:
		return s.texts.Schema(ctx, src.reference(), src.schema)
	case compareSource:
		report, err := src.comparison.report(ctx)
		if err != nil {
			return "", err
		}
		return s.texts.Comparison(src.product, reference.Compared{From: src.comparison.from, To: src.comparison.to, Report: report}), nil
	}
	return s.texts.Product(src.product), nil
}

// pack compresses a file. It is done once for each release.
func pack(body []byte, contentType string) (f prepared.File, err error) {
	var zipped bytes.Buffer
	if err := prepared.Compress(&zipped, body); err != nil {
		return f, err
	}
	sum := sha256.Sum256(body)
	return prepared.File{
		Body:        bytes.Clone(body), // a buffer may hold twice what is in it
		Gzip:        bytes.Clone(zipped.Bytes()),
		ContentType: contentType,
		ETag:        `"` + hex.EncodeToString(sum[:12]) + `"`,
		// Caches may keep a page and must ask before they show it again, so
		// that a release is seen at once; asking costs a 304.
		CacheControl: prepared.Revalidate,
	}, nil
}
