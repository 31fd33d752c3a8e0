package checks

import (
	"fmt"
	"math"

	"heliograph/app/documentation/content"
)

// readable is the least ratio of contrast of a text, by WCAG 2.2.
const readable = 4.5

// tint is an accent colour as static/css/tints.css has it: hue in degrees and
// chroma of OKLCH.
type tint struct{ hue, chroma float64 }

var tints = map[string]tint{
	"amber": {76, 0.11}, "coral": {35, 0.14}, "rose": {5, 0.15}, "violet": {300, 0.14}, "blue": {255, 0.13}, "teal": {195, 0.085}, "green": {150, 0.12}, "slate": {258, 0.03},
}

// contrast finds an accent colour that cannot be read on its own wash, which icons
// and marks stand on, in one of the themes.
func (f *finder) contrast() {
	if f.item.Kind != content.KindProduct || f.product.Accent == "" {
		return
	}
	t, ok := tints[f.product.Accent]
	if !ok {
		f.add(nameContrast, "accent", 0, fmt.Sprintf("There is no accent colour with the name %s.", f.product.Accent))
		return
	}
	for theme, ratio := range t.ratios() {
		if ratio < readable {
			f.add(nameContrast, "accent", 0, fmt.Sprintf("In the %s theme, the accent colour has a contrast of %.1f to 1 on its own wash. Choose a colour with at least %.1f.", theme, ratio, readable))
		}
	}
}

// ratios returns the contrast of a tint on its wash, by theme.
func (t tint) ratios() map[string]float64 {
	return map[string]float64{
		"light": ratio(oklch(0.49, t.chroma, t.hue), oklch(0.965, t.chroma*0.2, t.hue)),
		"dark":  ratio(oklch(0.83, t.chroma*0.85, t.hue), oklch(0.275, t.chroma*0.34, t.hue)),
	}
}

// ratio is the contrast of two colours, by their luminance.
func ratio(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// oklch returns the luminance of a colour of OKLCH in sRGB.
func oklch(lightness, chroma, hue float64) float64 {
	sin, cos := math.Sincos(hue * math.Pi / 180)
	a, b := chroma*cos, chroma*sin
	l := cube(lightness + 0.3963377774*a + 0.2158037573*b)
	m := cube(lightness - 0.1055613458*a - 0.0638541728*b)
	s := cube(lightness - 0.0894841775*a - 1.2914855480*b)
	red := 4.0767416621*l - 3.3077115913*m + 0.2309699292*s
	green := -1.2684380046*l + 2.6097574011*m - 0.3413193965*s
	blue := -0.0041960863*l - 0.7034186147*m + 1.7076147010*s
	return 0.2126*clamp(red) + 0.7152*clamp(green) + 0.0722*clamp(blue)
}

func cube(x float64) float64 { return x * x * x }

func clamp(x float64) float64 { return min(max(x, 0), 1) }
