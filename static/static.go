// Package static holds the files that browsers fetch beside the pages: the
// stylesheet, scripts, vendored libraries and images. All of it is embedded,
// bundled and compressed once, so that serving a file is a map lookup.
//
// Every file answers at two addresses. The hashed one (URL) never changes its
// content and may be cached forever; the plain one is for files with an address that
// outsiders know by heart and must be revalidated.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
)

//go:embed css js img vendor
var files embed.FS

// Prefix is the path under which every file is addressed.
const Prefix = "/static/"

// Asset is one file, ready to be written to a response. Its slices are shared
// and must not be changed.
type Asset struct {
	// Body is the file as it is.
	Body []byte
	// Gzip is Body compressed, or nil where compressing gains nothing.
	Gzip []byte
	// ContentType is the media type, with charset for text.
	ContentType string
	// ETag is the strong, quoted validator of Body (RFC 9110, 8.8.3). A
	// response that carries Gzip is another representation and needs a tag of
	// its own, for example this one made weak.
	ETag string
	// Immutable says that the address holds the content's hash, so that the
	// answer may be cached for a year without asking again.
	Immutable bool
}

// built returns the files by address and the addresses by name. They are built once,
// when the first is asked for, since most commands ask for none.
var built = sync.OnceValues(build)

// URL gives the hashed address of a file named by its path in this folder:
// "css/site.css" becomes "/static/css/site.<hash>.css". An unknown name is a
// mistake in a view, and panics so that the first test that renders it fails.
func URL(name string) string {
	_, urls := built()
	url, ok := urls[name]
	if !ok {
		panic("static: no file named " + name)
	}
	return url
}

// Open finds the asset at a request path, hashed or plain, as in
// "/static/img/favicon.svg". It reports false where there is none.
func Open(urlPath string) (Asset, bool) {
	assets, _ := built()
	asset, ok := assets[urlPath]
	return asset, ok
}

// remark is a line of a script that is a comment and nothing else.
var remark = regexp.MustCompile(`(?m)^\s*//.*\n`)

// build reads the embedded tree, replaces the parts of each bundle by the
// bundle, and indexes the result by address.
func build() (byPath map[string]Asset, byName map[string]string) {
	bodies := map[string][]byte{}
	part := map[string]bool{}
	for name, parts := range bundles {
		var all bytes.Buffer
		for _, p := range parts {
			all.Write(must(files.ReadFile(p)))
			part[p] = true
		}
		bodies[name] = all.Bytes()
		if path.Ext(name) == ".css" {
			bodies[name] = compact(bodies[name])
		} else {
			bodies[name] = remark.ReplaceAll(bodies[name], nil)
		}
	}
	walk := func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !part[name] {
			bodies[name], err = files.ReadFile(name)
		}
		return err
	}
	must(0, fs.WalkDir(files, ".", walk))

	byPath, byName = map[string]Asset{}, map[string]string{}
	for name, body := range bodies {
		asset := newAsset(name, body)
		byPath[Prefix+name] = asset
		asset.Immutable = true
		byName[name] = Prefix + hashed(name, body)
		byPath[byName[name]] = asset
	}
	return byPath, byName
}

func newAsset(name string, body []byte) Asset {
	asset := Asset{Body: body, ContentType: contentType(name), ETag: `"` + digest(body) + `"`}
	if zipped := compress(body); len(zipped) < len(body) {
		asset.Gzip = zipped
	}
	return asset
}

func hashed(name string, body []byte) string {
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "." + digest(body) + ext
}

// digest is short enough to read in a log and long enough (60 bits) that two
// builds of one file never meet.
func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])[:15]
}

func compress(body []byte) []byte {
	var out bytes.Buffer
	w := must(gzip.NewWriterLevel(&out, gzip.BestCompression))
	must(w.Write(body))
	must(0, w.Close())
	return out.Bytes()
}

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssSpace   = regexp.MustCompile(`\s+`)
	cssGlue    = regexp.MustCompile(` ?([{};]) ?|([:,]) `)
)

// compact takes comments and needless spaces out of a stylesheet. It knows only
// how this folder's sheets are written: a colon or comma followed by a space
// never stands in a selector's pseudo-class or in a string.
func compact(css []byte) []byte {
	css = cssComment.ReplaceAll(css, nil)
	css = cssSpace.ReplaceAll(css, []byte(" "))
	css = cssGlue.ReplaceAll(css, []byte("$1$2"))
	return bytes.ReplaceAll(css, []byte(";}"), []byte("}"))
}

// contentType does not ask the operating system, because its tables differ.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	}
	return "text/plain; charset=utf-8"
}

// must is for steps that can only fail when the program was built wrongly.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("static: %v", err))
	}
	return v
}
