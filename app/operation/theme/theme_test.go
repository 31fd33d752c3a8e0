package theme

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"heliograph/app/fault"
)

// The finished themes can be read and have small style sheets.
func TestPresets(t *testing.T) {
	t.Parallel()
	for _, p := range Presets {
		d, err := p.Document.normal()
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		for _, problem := range d.Check() {
			t.Errorf("%s, %s: %s", p.Name, problem.Scheme, problem.Message())
		}
		text, hash := d.stylesheet()
		if !strings.HasPrefix(text, "@layer theme{:root{--paper:light-dark(#") || len(hash) != 15 {
			t.Errorf("%s has the style sheet %q, %q", p.Name, text, hash)
		}
	}
}

// A theme that sets everything has a style sheet of at most 4 kB compressed.
func TestStylesheetIsSmall(t *testing.T) {
	t.Parallel()
	d := Presets[1].Document
	d.Mono = "slab"
	for _, s := range Schemes {
		for i, v := range Variables {
			color := mustColor(d.Color(s, v.Name))
			color.R = float64((i*37)%256) / 255
			d = d.With(s, v.Name, color.Hex())
		}
	}
	text, _ := d.stylesheet()
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(text)) //nolint:errcheck // to memory
	z.Close()             //nolint:errcheck // to memory
	t.Logf("%d bytes, %d compressed", len(text), zipped.Len())
	if zipped.Len() > 4096 {
		t.Errorf("%d bytes compressed", zipped.Len())
	}
}

func TestDocumentsAreChecked(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		document Document
		field    string
	}{
		"words":         {Document{Light: map[string]string{"paper": "white"}}, "light.paper"},
		"code":          {Document{Dark: map[string]string{"text": "#fff;}body{display:none"}}, "dark.text"},
		"address":       {Document{Light: map[string]string{"paper": "url(//example.com)"}}, "light.paper"},
		"variable":      {Document{Light: map[string]string{"display": "#ffffff"}}, "light.display"},
		"chroma":        {Document{Light: map[string]string{"paper": "oklch(0.5 9 1)"}}, "light.paper"},
		"radius":        {Document{Radius: "17"}, "radius"},
		"unit":          {Document{Radius: "6px"}, "radius"},
		"density":       {Document{Density: "dense"}, "density"},
		"face":          {Document{Text: "Comic Sans MS"}, "text"},
		"code face":     {Document{Mono: "x"}, "mono"},
		"long name":     {Document{Brand: Brand{Name: strings.Repeat("a", 41)}}, "name"},
		"two lines":     {Document{Brand: Brand{Name: "a\nb"}}, "name"},
		"picture":       {Document{Brand: Brand{Logo: "../../x.png"}}, "logo"},
		"script":        {Document{Brand: Brand{Links: []Link{{"x", "javascript:alert(1)"}}}}, "links"},
		"other host":    {Document{Brand: Brand{Links: []Link{{"x", "//example.com"}}}}, "links"},
		"plain http":    {Document{Brand: Brand{FooterLinks: []Link{{"x", "http://example.com"}}}}, "footer_links"},
		"no label":      {Document{Brand: Brand{Links: []Link{{"", "/x"}}}}, "links"},
		"too many":      {Document{Brand: Brand{Links: make([]Link, 7)}}, "links"},
		"long footer":   {Document{Brand: Brand{Footer: strings.Repeat("a", 201)}}, "footer"},
		"user in a URL": {Document{Brand: Brand{Links: []Link{{"x", "https://a:b@example.com"}}}}, "links"},
	} {
		_, err := tt.document.normal()
		f := fault.As(err)
		if f == nil || len(f.Fields) == 0 || f.Fields[0].Name != tt.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	d, err := Document{
		Light: map[string]string{"paper": " #FFF ", "text": Document{}.Color(Light, "text"), "soft": ""}, Radius: "6",
		Brand: Brand{Name: " Semaphore ", Links: []Link{{"Status", "https://status.example.com/x?y=1"}}},
	}.normal()
	if err != nil || len(d.Light) != 1 || d.Light["paper"] != "#ffffff" || d.Radius != "" || d.Brand.Name != "Semaphore" {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestExportIsImported(t *testing.T) {
	t.Parallel()
	d := Presets[0].Document
	d.Brand = Brand{Name: "Semaphore", Links: []Link{{"Status", "/status"}}}
	got, err := Import(Export(d))
	if err != nil || !bytes.Equal(got.encode(), d.encode()) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, text := range []string{"", "{}", "[]", `{"format":"x"}`, `{"format":"heliograph-theme-1","css":"x"}`, string(Export(d)) + "{}", `{"format":"heliograph-theme-1","light":{"paper":1}}`, strings.Repeat(" ", MaxImport+1)} {
		if _, err := Import([]byte(text)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

func TestPicturesAreShapes(t *testing.T) {
	t.Parallel()
	const open, end = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">`, `</svg>`
	for _, good := range []string{
		open + `<rect width="1" height="1" fill="#0d1220"/>` + end,
		`<?xml version="1.0"?>` + open + `<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><path d="M0 0" fill="url(#a)"/>` + end,
	} {
		if err := checkSVG([]byte(good)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		open + `<script>alert(1)</script>` + end, open + `<rect onload="x"/>` + end, open + `<image href="https://example.com/x.png"/>` + end,
		open + `<use href="#a"/>` + end, open + `<style>@import "x"</style>` + end, open + `<rect style="fill:url(https://example.com)"/>` + end,
		open + `<rect fill="url(https://example.com/x)"/>` + end, open + `<foreignObject/>` + end, open + `<a href="x"><rect/></a>` + end, open + `<animate/>` + end,
		`<!DOCTYPE svg [<!ENTITY a "b">]>` + open + end, `<?xml-stylesheet href="x"?>` + open + end, `<html>` + open + end + `</html>`, open, open + strings.Repeat("<g>", 60),
		open + `<rect xlink:href="x"/>` + end, open + strings.Repeat(`<g/>`, 30_000) + end,
	} {
		if err := checkSVG([]byte(bad)); err == nil {
			t.Errorf("%.120s is taken", bad)
		}
	}
}
