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
	assets, _ := built()
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
	for dir, parts := range map[string][]string{"css": slices.Concat(bundles["css/site.css"], bundles["css/area.css"], bundles["css/editor.css"], bundles["css/console.css"], bundles["css/simulate.css"]), "js/console": bundles["js/console.js"], "js/simulate": bundles["js/simulate.js"], "js/site": bundles["js/site.js"], "js/area": bundles["js/area.js"], "js/contact": bundles["js/contact.js"], "js/compare": bundles["js/compare.js"], "js/own": bundles["js/own.js"], "js/times": bundles["js/times.js"], "js/search": {"js/search/dialog.js"}, "js/editor": bundles["js/editor.js"], "js/code": bundles["js/code.js"][1:], "js/drag": bundles["js/drag.js"][1:]} {
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
	for name, most := range map[string]int{"css/site.css": 13_500, "css/area.css": 3_850, "css/editor.css": 5_650, "css/console.css": 1_900, "css/simulate.css": 2_900, "js/simulate.js": 900, "js/console.js": 5_400, "js/site.js": 8_200, "js/search.js": 3_900, "js/area.js": 900, "js/editor.js": 2_900, "js/code.js": 152_000, "js/drag.js": 16_500, "js/assistant.js": 1_200, "js/theme.js": 400, "js/contact.js": 800, "js/compare.js": 450, "js/own.js": 550, "js/times.js": 1_900} {
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

// Each part with a display of its own would show what is hidden, as the API console
// once did. An important rule of the first layer wins over all others.
func TestHiddenStaysHidden(t *testing.T) {
	t.Parallel()
	if css := string(must(files.ReadFile("css/reset.css"))); bundles["css/site.css"][0] != "css/layers.css" || !strings.Contains(css, "[hidden] { display: none !important; }") {
		t.Error("a display of ours shows what is hidden")
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

// mostScript is the number of lines of our own script that every page loads, and
// islands the lines of what is loaded only where it is used: the live parts of areas, the
// search dialog once it is opened, the editor and its fields of code, rows that are
// dragged, requests to the assistant's tools, the proof of work of the contact form, the
// keys of comparisons, the simulators, and the ids of readers who are signed in. Script is for what htmx
// and the browser cannot do, so lower the numbers when they can. longestLine is the
// characters of one.
const (
	mostScript  = 364
	longestLine = 160
)

var islands = map[string]int{
	"js/area.js": 46, "js/search.js": 95, "js/editor.js": 190, "js/code.js": 450, "js/drag.js": 69,
	"js/assistant.js": 58, "js/contact.js": 32, "js/compare.js": 10, "js/own.js": 14, "js/times.js": 85, "js/simulate.js": 60,
}

// ownScript returns the files of ours in a bundle.
func ownScript(bundle string) []string {
	return slices.DeleteFunc(slices.Clone(bundles[bundle]), func(name string) bool { return strings.HasPrefix(name, "vendor/") })
}

func TestOwnScriptStaysSmall(t *testing.T) {
	t.Parallel()
	checkScript(t, "the script of every page", append(ownScript("js/site.js"), "js/theme.js"), mostScript)
	for name, most := range islands {
		checkScript(t, name, ownScript(name), most)
	}
}

// checkScript holds the parts of a script to a number of lines.
func checkScript(t *testing.T, script string, parts []string, most int) {
	t.Helper()
	lines := 0
	for _, name := range parts {
		text := strings.TrimPrefix(string(must(files.ReadFile(name))), "\"use strict\";\n\n")
		if lines += strings.Count(text, "\n"); !strings.HasPrefix(text, "// ") {
			t.Errorf("%s does not begin by saying why it exists", name)
		}
		for line := range strings.Lines(text) {
			if len(line) > longestLine {
				t.Errorf("%s has a line of %d characters, at most %d: %.60s", name, len(line), longestLine, line)
			}
		}
	}
	if lines == 0 || lines > most {
		t.Errorf("%s has %d lines of ours, at most %d", script, lines, most)
	}
}

// htmx is the one that asks the server and puts answers into pages. Our own
// scripts fetch only what goes to the clipboard.
func TestScriptsLeaveRequestsToHTMX(t *testing.T) {
	t.Parallel()
	scripts := append(ownScript("js/site.js"), "js/theme.js")
	for name := range islands {
		scripts = append(scripts, ownScript(name)...)
	}
	for _, name := range scripts {
		text := string(must(files.ReadFile(name)))
		for _, banned := range []string{"fetch(", "DOMParser", "XMLHttpRequest", "new Function", "eval("} {
			if strings.Contains(text, banned) && (banned != "fetch(" || path.Base(name) != "copy.js") {
				t.Errorf("%s uses %s", name, banned)
			}
		}
	}
}
