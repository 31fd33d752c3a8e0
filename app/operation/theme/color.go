package theme

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/lucasb-eyer/go-colorful"

	"heliograph/app/lists"
)

// hexColor and oklchColor are the forms of a colour that are read.
var (
	hexColor   = regexp.MustCompile(`^#(?:[0-9a-f]{3}|[0-9a-f]{6})$`)
	oklchColor = regexp.MustCompile(`^oklch\( *([0-9.]+)(%?) +([0-9.]+) +([0-9.]+)(?:deg)? *\)$`)
)

// ParseColor reads #rgb, #rrggbb and oklch(L C H). A colour that screens cannot show
// becomes the nearest one that they can.
func ParseColor(text string) (colorful.Color, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if hexColor.MatchString(text) {
		return colorful.Hex(text)
	}
	m := oklchColor.FindStringSubmatch(text)
	if m == nil {
		return colorful.Color{}, fmt.Errorf("%q is no colour", text)
	}
	var v [3]float64
	for i, part := range []string{m[1], m[3], m[4]} {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return colorful.Color{}, err
		}
		v[i] = n
	}
	if m[2] != "" {
		v[0] /= 100
	}
	if v[0] > 1 || v[1] > 0.5 || v[2] > 360 {
		return colorful.Color{}, fmt.Errorf("%q is out of range", text)
	}
	return rounded(inGamut(v[0], v[1], v[2])), nil
}

// inGamut returns the colour of a lightness, chroma and hue with the largest chroma that
// screens can show.
func inGamut(l, c, h float64) colorful.Color {
	if isShown(l, c, h) {
		return colorful.OkLch(l, c, h)
	}
	low, high := 0.0, c
	for range 20 {
		middle := (low + high) / 2
		if isShown(l, middle, h) {
			low = middle
		} else {
			high = middle
		}
	}
	return colorful.OkLch(l, low, h).Clamped()
}

// isShown reports whether screens have a colour.
func isShown(l, c, h float64) bool {
	r, g, b := colorful.XyzToLinearRgb(colorful.OkLabToXyz(colorful.OkLchToOkLab(l, c, h)))
	return min(r, g, b) >= 0 && max(r, g, b) <= 1
}

// rounded returns the colour as a screen with 8 bits shows it.
func rounded(c colorful.Color) colorful.Color {
	r, g, b := c.Clamped().RGB255()
	return colorful.Color{R: float64(r) / 255, G: float64(g) / 255, B: float64(b) / 255}
}

// mustColor reads a colour of this package.
func mustColor(text string) colorful.Color {
	c, err := ParseColor(text)
	if err != nil {
		panic("theme: " + err.Error())
	}
	return c
}

// tints returns the colours of products in a form of oklch with chroma and hue.
func tints(form string, share float64) (list []string) {
	for _, t := range []struct {
		hue    int
		chroma float64
	}{{76, 0.11}, {35, 0.14}, {5, 0.15}, {300, 0.14}, {255, 0.13}, {195, 0.085}, {150, 0.12}, {258, 0.03}} {
		list = append(list, fmt.Sprintf(form, t.chroma*share, t.hue))
	}
	return list
}

// contrast returns the contrast of two colours, from 1 to 21 (WCAG 2.2).
func contrast(a, b colorful.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// luminance is the relative luminance of WCAG of a colour with 8 bits a channel.
func luminance(c colorful.Color) float64 {
	r, g, b := c.RGB255()
	return 0.2126*linear[r] + 0.7152*linear[g] + 0.0722*linear[b]
}

// linear is the light of each step of a channel.
var linear = func() (steps [256]float64) {
	for i := range steps {
		steps[i], _, _ = colorful.Color{R: float64(i) / 255}.LinearRgb()
	}
	return steps
}()

// mix is color-mix(in oklab, a share, b).
func mix(a colorful.Color, share float64, b colorful.Color) colorful.Color {
	al, aa, ab := a.OkLab()
	bl, ba, bb := b.OkLab()
	rest := 1 - share
	return rounded(colorful.OkLab(al*share+bl*rest, aa*share+ba*rest, ab*share+bb*rest))
}

func parseAll(texts []string) (list []colorful.Color) {
	return lists.Map(texts, mustColor)
}
