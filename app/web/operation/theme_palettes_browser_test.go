//go:build browser

package operation_test

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"heliograph/app/operation/theme"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/views/browsertest"
)

// palette makes up a theme with colours that can be read.
func palette(t *testing.T, r *rand.Rand, share float64) (d theme.Document) {
	t.Helper()
	for _, s := range theme.Schemes {
		for _, v := range theme.Variables {
			if r.Float64() < share {
				d = d.With(s, v.Name, fmt.Sprintf("#%06x", r.IntN(1<<24)))
			}
		}
	}
	d, err := d.Repair()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Axe-core finds nothing wrong with any component in palettes that pass the check, and in
// the finished themes. HELIOGRAPH_PALETTES is how many are made up; 30 are a drill.
func TestPalettesPassAxe(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	var themes *theme.Themes
	site := webtest.New(t, func(d *web.Deps) { themes = d.Themes })
	server := httptest.NewServer(site.Server.Handler())
	t.Cleanup(server.Close)
	count := 1
	if text := os.Getenv("HELIOGRAPH_PALETTES"); text != "" {
		count, _ = strconv.Atoi(text)
	}
	r := rand.New(rand.NewPCG(48, 30)) //nolint:gosec // repeatable
	tried := map[string]theme.Document{}
	for i := range count {
		tried[fmt.Sprint("palette ", i)] = palette(t, r, []float64{0.3, 1, 0.05}[i%3])
	}
	if count > 1 {
		for _, preset := range theme.Presets {
			tried[preset.Name] = preset.Document
		}
	}
	for name, d := range tried {
		by := theme.Author{Actor: "system"}
		version, err := themes.Save(t.Context(), theme.Organisation, d, 0, by)
		if err == nil {
			err = themes.Publish(t.Context(), theme.Organisation, version, by)
		}
		if err == nil {
			err = themes.Refresh(t.Context())
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/ui")); err != nil {
			t.Fatal(err)
		}
		browsertest.JudgeThemes(t, ctx, "theme "+name)
	}
}
