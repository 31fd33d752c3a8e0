package static

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestURLNamesTheContent(t *testing.T) {
	t.Parallel()
	url := URL("css/site.css")
	if !strings.HasPrefix(url, "/static/css/site.") || !strings.HasSuffix(url, ".css") || len(url) != len("/static/css/site..css")+15 {
		t.Fatalf("URL = %q, want /static/css/site.<15 hex digits>.css", url)
	}
	hashed, ok := Open(url)
	if !ok || !hashed.Immutable {
		t.Fatalf("Open(%q) = immutable %v, found %v; want both", url, hashed.Immutable, ok)
	}
	plain, ok := Open("/static/css/site.css")
	if !ok || plain.Immutable {
		t.Fatalf("the plain address is immutable %v, found %v; want found and not immutable", plain.Immutable, ok)
	}
	if !bytes.Equal(hashed.Body, plain.Body) || hashed.ETag != plain.ETag {
		t.Error("the two addresses of one file differ")
	}
}

func TestURLPanicsOnUnknownName(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("URL of an unknown file did not panic")
		}
	}()
	URL("css/none.css")
}

func TestOpenFindsOnlyFiles(t *testing.T) {
	t.Parallel()
	for _, p := range []string{"", "/static/", "/static/css", "/static/../static.go", "/static/css/tokens.css", "/static/testdata/axe-core/axe.min.js", "css/site.css"} {
		if _, ok := Open(p); ok {
			t.Errorf("Open(%q) found something", p)
		}
	}
}

func TestGzipHoldsTheSameBytes(t *testing.T) {
	t.Parallel()
	for p, a := range assets {
		if a.Gzip == nil {
			continue
		}
		r, err := gzip.NewReader(bytes.NewReader(a.Gzip))
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		body, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(body, a.Body) {
			t.Errorf("%s: gzip differs from the body (%v)", p, err)
		}
	}
}

func TestContentTypes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"css/site.css":            "text/css; charset=utf-8",
		"js/site.js":              "text/javascript; charset=utf-8",
		"img/favicon.svg":         "image/svg+xml",
		"vendor/htmx/htmx.min.js": "text/javascript; charset=utf-8",
		"vendor/htmx/LICENSE":     "text/plain; charset=utf-8",
	} {
		if a, _ := Open(URL(name)); a.ContentType != want {
			t.Errorf("%s is served as %q, want %q", name, a.ContentType, want)
		}
	}
}

func TestBundlesCoverEveryPart(t *testing.T) {
	t.Parallel()
	for dir, parts := range map[string][]string{"css": slices.Concat(bundles["css/site.css"], bundles["css/area.css"], bundles["css/editor.css"]), "js/site": bundles["js/site.js"], "js/area": bundles["js/area.js"], "js/contact": bundles["js/contact.js"], "js/compare": bundles["js/compare.js"], "js/own": bundles["js/own.js"], "js/search": {"js/search/dialog.js"}, "js/editor": bundles["js/editor.js"], "js/code": bundles["js/code.js"][1:], "js/drag": bundles["js/drag.js"][1:]} {
		entries, err := fs.ReadDir(files, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if name := dir + "/" + e.Name(); !slices.Contains(parts, name) {
				t.Errorf("%s is in no bundle: name it in bundle.go", name)
			}
		}
		if len(entries) != len(parts) {
			t.Errorf("the bundles of %s list %d parts, the folder holds %d", dir, len(parts), len(entries))
		}
	}
}

// Weight is felt on every first visit, so what travels has a ceiling, in bytes.
func TestFilesStayLight(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]int{"css/site.css": 12_800, "css/area.css": 3_600, "css/editor.css": 3_200, "js/site.js": 8_200, "js/search.js": 3_900, "js/area.js": 900, "js/editor.js": 2_200, "js/code.js": 152_000, "js/drag.js": 16_500, "js/assistant.js": 1_200, "js/theme.js": 400, "js/contact.js": 800, "js/compare.js": 450, "js/own.js": 550} {
		if a, _ := Open(URL(name)); len(a.Gzip) > most {
			t.Errorf("%s has %d bytes, at most %d", name, len(a.Gzip), most)
		}
	}
}

func TestCompactKeepsMeaning(t *testing.T) {
	t.Parallel()
	in := "@layer a {\n  /* why */\n  .b :is(h2, h3) a { margin: 0 calc(1px + 2px); color: red; }\n}\n"
	want := "@layer a{.b :is(h2,h3) a{margin:0 calc(1px + 2px);color:red}}"
	if got := string(compact([]byte(in))); got != want {
		t.Errorf("compact = %s\nwant      %s", got, want)
	}
}

// A rule outside a layer would win over every layer without anybody meaning it.
func TestStylesLiveInLayersAndStayAtHome(t *testing.T) {
	t.Parallel()
	for _, name := range bundles["css/site.css"] {
		css := string(must(files.ReadFile(name)))
		if !strings.HasPrefix(css, "@layer ") {
			t.Errorf("%s does not begin with @layer", name)
		}
		if strings.Contains(css, "://") || strings.Contains(css, "@import") {
			t.Errorf("%s reaches for another file", name)
		}
	}
}

// asksOfAll finds a container of whole pages that asks about any descendant. A browser
// asks again at each change within it, and styles all of it again.
var asksOfAll = regexp.MustCompile(`(?:html|body|\.page|\.with-nav|\.main|\.reference|\.samples)[^ ,{]*:has\([^>~+][^)]*`)

func TestContainersAskOfTheirChildrenOnly(t *testing.T) {
	t.Parallel()
	for _, name := range bundles["css/site.css"] {
		for _, found := range asksOfAll.FindAllString(string(must(files.ReadFile(name))), -1) {
			t.Errorf("%s: %s) asks about every descendant; name the children on the way to it", name, found)
		}
	}
}

// mostCommon is the number of lines of our own script that every page loads, and
// mostScript that with the live parts of areas and the search dialog. longestLine is
// the characters of one. Islands, which are loaded only where a page has them, have
// bounds of their own. Script is for what htmx and the browser cannot do, so lower
// the numbers when they can.
const (
	mostCommon  = 343
	mostScript  = 480
	mostCode    = 400 // lines of what ties the code editor to forms
	mostWork    = 32  // of the proof of work of the contact form
	mostKeys    = 8   // of the keys of comparisons
	mostOwn     = 16  // of the ids of readers who are signed in
	longestLine = 160
)

// ownScripts returns the parts of the script of all pages.
func ownScripts() []string {
	return slices.Concat(bundles["js/site.js"], bundles["js/area.js"], []string{"js/search/dialog.js"})
}

// What only some pages load has bounds of its own.
func TestIslandsStaySmall(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]int{"js/code.js": mostCode, "js/contact.js": mostWork, "js/compare.js": mostKeys, "js/own.js": mostOwn} {
		parts := bundles[name]
		if name == "js/code.js" {
			parts = parts[1:] // which is not ours
		}
		checkIsland(t, name, parts, most)
	}
}

// checkIsland holds the parts of an island to a number of lines.
func checkIsland(t *testing.T, island string, parts []string, most int) {
	t.Helper()
	lines := 0
	for _, name := range parts {
		text := string(must(files.ReadFile(name)))
		if lines += strings.Count(text, "\n"); !strings.HasPrefix(text, "// ") {
			t.Errorf("%s does not begin by saying why it exists", name)
		}
		for line := range strings.Lines(text) {
			if len(line) > longestLine {
				t.Errorf("%s has a line of %d characters, at most %d: %.60s", name, len(line), longestLine, line)
			}
		}
	}
	if lines > most {
		t.Errorf("%s has %d lines of ours, at most %d", island, lines, most)
	}
}

func linesOf(parts []string) (lines int) {
	for _, name := range parts {
		lines += bytes.Count(must(files.ReadFile(name)), []byte("\n"))
	}
	return lines
}

func TestOwnScriptStaysSmall(t *testing.T) {
	t.Parallel()
	lines := linesOf(append(ownScripts(), "js/theme.js"))
	for _, name := range append(ownScripts(), "js/theme.js") {
		text := must(files.ReadFile(name))
		if !bytes.HasPrefix(bytes.TrimPrefix(text, []byte("\"use strict\";\n\n")), []byte("// ")) {
			t.Errorf("%s does not begin by saying why it exists", name)
		}
	}
	for _, name := range append(ownScripts(), "js/theme.js") {
		for line := range strings.Lines(string(must(files.ReadFile(name)))) {
			if len(line) > longestLine {
				t.Errorf("%s has a line of %d characters, at most %d: %.60s", name, len(line), longestLine, line)
			}
		}
	}
	common := linesOf(bundles["js/site.js"]) + linesOf([]string{"js/theme.js"})
	if lines > mostScript || common > mostCommon {
		t.Errorf("our own script has %d lines, at most %d, and every page loads %d of them, at most %d", lines, mostScript, common, mostCommon)
	}
}

// htmx is the one that asks the server and puts answers into pages. Our own
// scripts fetch only what goes to the clipboard.
func TestScriptsLeaveRequestsToHTMX(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Concat(ownScripts(), bundles["js/editor.js"], bundles["js/drag.js"][1:], bundles["js/code.js"][1:], bundles["js/assistant.js"], bundles["js/contact.js"], bundles["js/compare.js"], bundles["js/own.js"]) {
		text := string(must(files.ReadFile(name)))
		for _, banned := range []string{"fetch(", "DOMParser", "XMLHttpRequest", "new Function", "eval("} {
			if strings.Contains(text, banned) && (banned != "fetch(" || path.Base(name) != "copy.js") {
				t.Errorf("%s uses %s", name, banned)
			}
		}
	}
}
