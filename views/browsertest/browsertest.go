// Package browsertest drives Chromium for the tests of pages.
//
// Every context that it takes is one that Open returned. HELIOGRAPH_PREVIEW
// names a folder for screenshots.
package browsertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Open gives the test a window of Chromium of 1440 by 900 pixels for at most nine
// minutes, with cookies and storage of its own, or skips where there is none and
// nobody insists, and in short runs.
func Open(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("short runs have no browser")
	}
	shared, err := start()
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("CI") == "" {
		t.Skip("chromium is not installed")
	}
	if err != nil {
		t.Fatalf("starting chromium: %v", err)
	}
	ctx, cancel := chromedp.NewContext(shared, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	// A page has the focus though others are open beside it.
	focused := Call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1440, 900), focused, chromedp.Func(allowCopying)); err != nil {
		t.Fatalf("opening a window: %v", err)
	}
	ctx, cancel = context.WithTimeout(ctx, 9*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// start starts Chromium, once for all tests of a binary, since that takes longer than
// most of them. It prefers the headless shell, which draws the same pages without the
// interface of a browser around them and takes a third of its processor time to
// start. Scripts are compiled and cleaned up after on one thread, and their code is not
// optimised, because none of them runs long enough for that to pay: together that does
// the same for two thirds of the processor time.
var start = sync.OnceValues(func() (context.Context, error) {
	path, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		path, err = exec.LookPath("chromium")
	}
	if err != nil {
		return nil, err
	}
	profile, err := makeProfile()
	if err != nil {
		return nil, err
	}
	ctx, _ := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.UserDataDir(profile),
		chromedp.Flag("renderer-process-limit", "1"), chromedp.Flag("js-flags", "--single-threaded --no-opt --no-maglev --no-flush-bytecode")))
	return ctx, chromedp.Do(ctx, chromedp.Navigate("about:blank"))
})

// profilePrefix begins the name of the folder of a browser. The number of its process
// follows.
const profilePrefix = "heliograph-chromium-"

// makeProfile makes the folder of the browser. The browser ends with this process,
// so the next one removes the folder.
func makeProfile() (string, error) {
	old, err := filepath.Glob(filepath.Join(os.TempDir(), profilePrefix+"*"))
	if err != nil {
		return "", err
	}
	for _, dir := range old {
		pid, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(dir), profilePrefix))
		if err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			os.RemoveAll(dir) //nolint:errcheck // another test may be removing it too
		}
	}
	dir := filepath.Join(os.TempDir(), profilePrefix+strconv.Itoa(os.Getpid()))
	return dir, os.MkdirAll(dir, 0o700)
}

// allowCopying lets pages write to the clipboard when something is pressed, as
// Chromium does. The headless shell refuses what nobody has granted.
func allowCopying(ctx context.Context, t *chromedp.Target) error {
	_, err := cdp.Call(ctx, t, browser.SetPermission, browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: "clipboard-write"}, Setting: browser.PermissionSettingGranted,
		BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
	})
	return err
}

// Call is a command of the DevTools protocol as an action.
func Call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, command, params)
		return err
	})
}

// Prefer sets what the system asks for: a theme, light or dark, and no
// movement.
func Prefer(theme string) chromedp.Action[chromedp.Void] {
	return Call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// Script switches script on or off in the pages to come.
func Script(on bool) chromedp.Action[chromedp.Void] {
	return Call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
}

// Evaluate returns what a script gives, or what its promise does. When another page
// takes the place of the one that it runs in, it runs again there.
func Evaluate[T any](t *testing.T, ctx context.Context, script string) T {
	t.Helper()
	for try := 1; ; try++ {
		v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
		if err == nil {
			return v
		}
		if try == 20 || !strings.Contains(err.Error(), "Inspected target navigated or closed") {
			t.Fatalf("evaluating %.60s: %v", script, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Pauses returns what waits between two looks at a page: longer each time, up to a
// seventh of a second, so that a page that is busy is not kept busy by looks.
func Pauses() (pause func()) {
	next := 15 * time.Millisecond
	return func() {
		time.Sleep(next)
		next = min(next*3/2, 140*time.Millisecond)
	}
}

// Situation tells what a page shows and asked for last, for tests that fail: its
// address, its flash, the element in focus, the last requests with the time since
// the page began, how long they took in milliseconds and their status, and the
// beginning of its text.
func Situation(t *testing.T, ctx context.Context) string {
	t.Helper()
	said, err := chromedp.Run(ctx, chromedp.Evaluate[string](`[location.href + " after " + Math.round(performance.now()) + " ms", document.getElementById("flash")?.innerText,
		document.activeElement?.outerHTML.slice(0, 200),
		...performance.getEntriesByType("resource").slice(-10).map((e) => [Math.round(e.startTime), Math.round(e.duration), e.responseStatus, e.name].join(" ")),
		document.querySelector("main")?.innerText.slice(0, 2000)].join("\n")`))
	if err != nil {
		return err.Error()
	}
	return said
}

// Focused reports whether the focus is on an element.
func Focused(t *testing.T, ctx context.Context, selector string) bool {
	t.Helper()
	return Evaluate[bool](t, ctx, "document.activeElement.matches(`"+selector+"`)")
}

// Tab moves the focus by keyboard until it is on an element.
func Tab(t *testing.T, ctx context.Context, selector string) {
	t.Helper()
	for range 100 {
		if Focused(t, ctx, selector) {
			return
		}
		if err := chromedp.Do(ctx, chromedp.KeyEvent("\t")); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatalf("the focus never comes to %s", selector)
}

// Complaints collects what the browser and the scripts say against its pages:
// blocked by the policy, failed to load, threw, written as an error, or asked another
// host than the origin. Each call returns what came since the last.
func Complaints(t *testing.T, ctx context.Context, origin string) func() []string {
	t.Helper()
	var lock sync.Mutex
	var said []string
	err := chromedp.Listen(ctx, func(event any) {
		lock.Lock()
		defer lock.Unlock()
		switch e := event.(type) {
		case *log.EventEntryAdded:
			said = append(said, e.Entry.Text+" "+e.Entry.URL)
		case *runtime.EventExceptionThrown:
			said = append(said, e.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.ConsoleAPICalledTypeError {
				said = append(said, written(e.Args))
			}
		case *network.EventRequestWillBeSent:
			// The browser draws its own date fields with data URLs.
			if url := e.Request.URL; !strings.HasPrefix(url, origin) && !strings.HasPrefix(url, "data:") && url != "about:blank" {
				said = append(said, "asked "+url)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() []string {
		lock.Lock()
		defer lock.Unlock()
		out := said
		said = nil
		return out
	}
}

// written returns what a script wrote to the console.
func written(args []*runtime.RemoteObject) string {
	var words []string
	for _, arg := range args {
		words = append(words, cmp.Or(arg.Description, strings.Trim(string(arg.Value), `"`)))
	}
	return strings.Join(words, " ")
}

// Root returns the top folder of the project: the nearest one above the package
// under test that has a go.mod. It holds for binaries built with -trimpath too.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			err = errors.New("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal(err)
	return ""
}

// Judge lists what axe-core finds wrong with the page, one line for each
// element; empty when it finds nothing.
func Judge(t *testing.T, ctx context.Context) string {
	t.Helper()
	return judge(t, ctx, page, everyRule)
}

// JudgeColours is Judge with the rules that depend on colours alone, for a page
// that Judge has seen in another theme.
func JudgeColours(t *testing.T, ctx context.Context) string {
	t.Helper()
	return judge(t, ctx, page, coloursOnly)
}

// JudgeLayout is Judge without the rules that depend on colours alone.
func JudgeLayout(t *testing.T, ctx context.Context) string {
	t.Helper()
	return judge(t, ctx, page, noColours)
}

// JudgeThemes holds the open page to every rule of axe-core in the light theme and
// to those about colours in the dark one, and photographs both. at names the page.
func JudgeThemes(t *testing.T, ctx context.Context, at string) {
	t.Helper()
	JudgePart(t, ctx, page, at)
}

// JudgeWidth is JudgeThemes for a page that is judged in a wide window and in a
// narrow one, of so many pixels. Colours are judged in the wide one alone: that takes
// longest, and they are the same. at names the page, without the width.
func JudgeWidth(t *testing.T, ctx context.Context, width int64, at string) {
	t.Helper()
	JudgePartWidth(t, ctx, width, page, at)
}

// JudgePartWidth is JudgeWidth for the element of a selector alone.
func JudgePartWidth(t *testing.T, ctx context.Context, width int64, selector, at string) {
	t.Helper()
	if at = fmt.Sprintf("%s %d", at, width); width >= wide {
		JudgePart(t, ctx, selector, at)
		return
	}
	if violations := judge(t, ctx, selector, noColours); violations != "" {
		t.Errorf("%s:\n%s", at, violations)
	}
	Photograph(t, ctx, at)
}

// JudgePart is JudgeThemes for the element of a selector alone, when the rest of the
// page is judged elsewhere.
func JudgePart(t *testing.T, ctx context.Context, selector, at string) {
	t.Helper()
	for _, theme := range []struct{ name, rules string }{{"light", everyRule}, {"dark", coloursOnly}} {
		if err := chromedp.Do(ctx, Prefer(theme.name)); err != nil {
			t.Fatalf("%s %s: %v", at, theme.name, err)
		}
		if violations := judge(t, ctx, selector, theme.rules); violations != "" {
			t.Errorf("%s %s:\n%s", at, theme.name, violations)
		}
		Photograph(t, ctx, at+" "+theme.name)
	}
}

// wide is the least width, in pixels, at which a page shows all of its columns.
const wide = 1200

const (
	page        = ":root"
	everyRule   = `runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	noColours   = everyRule + `, rules: {"color-contrast": {enabled: false}, "link-in-text-block": {enabled: false}}`
	coloursOnly = `runOnly: {type: "rule", values: ["color-contrast", "link-in-text-block"]}`
)

func judge(t *testing.T, ctx context.Context, selector, rules string) string {
	t.Helper()
	if !Evaluate[bool](t, ctx, `window.axe !== undefined`) {
		axe, err := os.ReadFile(filepath.Join(Root(t), "static/testdata/axe-core/axe.min.js"))
		if err != nil {
			t.Fatal(err)
		}
		Evaluate[bool](t, ctx, string(axe)+`;true`)
	}
	return Evaluate[string](t, ctx, fmt.Sprintf(`axe.run(%q, {resultTypes: ["violations"], %s}).then((r) =>
	r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target + " " + n.failureSummary.replace(/\s+/g, " "))).slice(0, 8).join("\n"))`, selector, rules))
}

// Photograph writes the whole page to the folder for screenshots, if there is
// one. at names the file.
func Photograph(t *testing.T, ctx context.Context, at string) {
	t.Helper()
	dir := os.Getenv("HELIOGRAPH_PREVIEW")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, strings.ReplaceAll(at, " ", "-")+".png"), png, 0o600)
	}
	if err != nil {
		t.Fatalf("photographing %s: %v", at, err)
	}
}
