package theme

import (
	"bytes"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	rule "heliograph/app/operation/theme"
	"heliograph/app/web/page"
)

// Files serves the style sheets and the pictures of themes. Their addresses hold the
// hash of their bytes, so that they are kept once they were asked for. Use NewFiles.
type Files struct {
	themes *rule.Themes
	lock   sync.Mutex
	kept   map[string]*page.Content
}

// mostFiles is how many files are kept: the pictures and style sheets in use are a few.
const mostFiles = 64

// NewFiles returns the files of the themes.
func NewFiles(themes *rule.Themes) *Files {
	return &Files{themes: themes, kept: map[string]*page.Content{}}
}

// Stylesheet serves the style sheet of a surface.
func (f *Files) Stylesheet(c echo.Context) error {
	surface, err := rule.ParseSurface(c.Param("surface"))
	if err != nil {
		return err
	}
	hash, ok := strings.CutSuffix(c.Param("file"), ".css")
	if !ok || hash == "" {
		return fault.New(fault.NotFound, "There is no style sheet at this address.")
	}
	page.DropDocumentHeaders(c.Response().Header())
	return f.serve(c, func() ([]byte, string, error) {
		text, err := f.themes.Stylesheet(c.Request().Context(), surface, hash)
		return []byte(text), "text/css; charset=utf-8", err
	})
}

// Picture serves a logo or an icon. An SVG that is opened as a document loads and runs
// nothing.
func (f *Files) Picture(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; sandbox; frame-ancestors 'none'")
	return f.serve(c, func() ([]byte, string, error) { return f.themes.Picture(c.Request().Context(), c.Param("name")) })
}

func (f *Files) serve(c echo.Context, read func() ([]byte, string, error)) error {
	path := c.Request().URL.Path
	f.lock.Lock()
	content := f.kept[path]
	f.lock.Unlock()
	if content == nil {
		body, contentType, err := read()
		if err != nil {
			return err
		}
		file := page.File{Body: body, ContentType: contentType, ETag: `"` + strings.ReplaceAll(strings.Trim(path, "/"), "/", "-") + `"`, CacheControl: page.Forever}
		var zipped bytes.Buffer
		if contentType != "image/png" && page.Compress(&zipped, body) == nil && zipped.Len() < len(body) {
			file.Gzip = zipped.Bytes()
		}
		content = page.Prepare(file)
		f.lock.Lock()
		if len(f.kept) >= mostFiles {
			clear(f.kept)
		}
		f.kept[path] = content
		f.lock.Unlock()
	}
	return content.Serve(c)
}
