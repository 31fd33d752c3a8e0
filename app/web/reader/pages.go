package reader

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/app/web/prepared"
)

// source is what stands at an address. Each kind of page has a type of its own beside
// the function that builds it. Nothing is read or compiled before a page is rendered.
type source interface {
	// where returns the product and the version of the page, nil where it has none.
	where() place
	// release returns the stamps of what the page shows.
	release(s *site) release
}

// pageSource makes a page, as HTML and as Markdown.
type pageSource interface {
	source
	view(ctx context.Context, s *site, a asked) (page.View, error)
	markdown(ctx context.Context, s *site, c choice) (string, error)
}

// fileSource makes a file, which has one form.
type fileSource interface {
	source
	file(ctx context.Context, s *site) (body []byte, contentType string, err error)
}

// serve responds with a page or a file, or the region of a page that the request asks for.
func (p *Pages) serve(c echo.Context, s *site, r requested) error {
	if !r.isFile() {
		r.region = cached(c)
	}
	content, err := p.content(c.Request().Context(), s, r)
	if err != nil {
		return s.failed(c, r.where().product, err)
	}
	if r.text {
		unlisted(c)
	}
	return content.Serve(c)
}

// content returns a page or a region of it in one choice, from the cache if it
// is there.
func (p *Pages) content(ctx context.Context, s *site, r requested) (*prepared.Content, error) {
	k := key{path: r.path, release: r.release(s), choice: r.choice, region: r.region}
	if content := p.kept.find(k); content != nil {
		return content()
	}
	return p.render(ctx, s, r.found, k)
}

// render renders a page or a region of it into the cache. It is apart from
// content so that a page in the cache costs no closure.
func (p *Pages) render(ctx context.Context, s *site, at found, k key) (*prepared.Content, error) {
	return p.kept.get(k, func() (prepared.File, error) {
		f, err := at.render(context.WithoutCancel(ctx), s, k)
		if err != nil {
			return f, fmt.Errorf("rendering %s: %w", k.path, err)
		}
		var varies []string
		if at.hasSamples() {
			varies = append(varies, echo.HeaderCookie)
		}
		if !at.isFile() {
			varies = append(varies, page.VaryFragment)
		}
		if at.isNegotiated() {
			varies = append(varies, echo.HeaderAccept)
		}
		f.Varies = strings.Join(varies, ", ")
		return f, nil
	})
}

func (f found) render(ctx context.Context, s *site, k key) (prepared.File, error) {
	var body []byte
	contentType := echo.MIMETextHTMLCharsetUTF8
	var err error
	switch {
	case f.page() == nil:
		body, contentType, err = f.source.(fileSource).file(ctx, s)
	case f.text:
		var text string
		text, err = f.page().markdown(ctx, s, k.choice)
		body, contentType = []byte(text), markdownType
	default:
		body, err = s.html(ctx, f.page(), k)
	}
	if err != nil {
		return prepared.File{}, err
	}
	return pack(body, contentType)
}

// html returns a page or a region of it as HTML.
func (s *site) html(ctx context.Context, src pageSource, k key) ([]byte, error) {
	v, err := src.view(ctx, s, asked{choice: k.choice, region: k.region})
	if err != nil {
		return nil, err
	}
	v.Frame.Image = s.picture(src, k.path, v.Frame)
	body, err := draw(context.Background(), v, k.region) // the same for every request
	return s.withPictures(body), err
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
