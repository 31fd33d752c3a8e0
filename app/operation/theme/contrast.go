package theme

import (
	"fmt"
	"math"
	"slices"

	"github.com/lucasb-eyer/go-colorful"
)

// The least contrasts of WCAG 2.2: 1.4.3 for text, 1.4.11 for borders and focus rings.
const (
	textContrast  = 4.5
	shapeContrast = 3.0
	// Browsers mix in steps of their own, and bring colours that no screen has into what
	// it has in their own way. What they make of a colour is not exactly what is measured
	// here.
	mixedContrast = 4.55
	fixedContrast = 4.65
	// room is the contrast of a ground to the ends of the scale, so that every colour of
	// text has a lightness that can be read on all grounds of a scheme.
	room = 7.0
)

// pair is a colour and the grounds on which it must be told apart.
type pair struct {
	on      string
	grounds []string
	least   float64
}

// pairs lists what pages put on what. A method stands on a mix of itself and the page,
// and text on the accent also on the accent under the pointer: see ground.
var pairs = []pair{
	{"text", []string{"paper", "raised", "hover", "signal-wash", "good-wash", "warn-wash", "bad-wash", "info-wash"}, textContrast},
	{"soft", []string{"paper", "raised", "hover", "signal-wash", "good-wash", "warn-wash", "bad-wash", "info-wash", ownWash}, textContrast},
	{"faint", []string{"paper", "raised", "hover"}, textContrast},
	{"control", []string{"paper", "raised"}, shapeContrast},
	{"on-amber", []string{"amber", underPointer}, textContrast},
	{"signal", []string{"paper", "raised", "hover", "signal-wash"}, textContrast},
	{"focus", []string{"paper", "raised", "hover"}, shapeContrast},
	{"good", []string{"paper", "raised", "hover", "good-wash"}, textContrast},
	{"warn", []string{"paper", "raised", "hover", "warn-wash"}, textContrast},
	{"bad", []string{"paper", "raised", "hover", "bad-wash"}, textContrast},
	{"info", []string{"paper", "raised", "hover", "info-wash"}, textContrast},
	{"get", []string{ownWash}, textContrast},
	{"post", []string{ownWash}, textContrast},
	{"put", []string{ownWash}, textContrast},
	{"patch", []string{ownWash}, textContrast},
	{"delete", []string{ownWash}, textContrast},
}

// The grounds that are mixed.
const (
	underPointer = "the accent under the pointer"
	ownWash      = "its own ground"
)

// Problem is a colour that cannot be told apart from a ground.
type Problem struct {
	Scheme Scheme
	// Name is the variable to change, and Against what it is measured with.
	Name, Against string
	Ratio, Least  float64
	// Offer is the nearest colour that passes with every ground, as #rrggbb.
	Offer string
}

// Field returns the name of the form field that the problem is about.
func (p Problem) Field() string { return string(p.Scheme) + "." + p.Name }

// Message says what is wrong and what to do.
func (p Problem) Message() string {
	return fmt.Sprintf("%s has a contrast of %.2f to 1 with %s; at least %g to 1 is needed. %s passes.",
		byName[p.Name].Label, math.Floor(p.Ratio*100)/100, p.Against, p.Least, p.Offer)
}

// palette holds the colours of one scheme.
type palette struct {
	scheme Scheme
	colors map[string]colorful.Color
	ink    colorful.Color
}

// followsAccent reports whether the focus ring has the colour of the accent, as it has
// in the dark scheme until it gets its own.
func (d Document) followsAccent(s Scheme) bool { return s == Dark && d.colors(s)["focus"] == "" }

// resolve returns the colour of a variable.
func (d Document) resolve(s Scheme, name string) colorful.Color {
	own := d.colors(s)
	if name == "focus" && d.followsAccent(s) {
		name = "amber"
	}
	if text := own[name]; text != "" {
		return mustColor(text)
	}
	if s == Dark {
		return mustColor(byName[name].Dark)
	}
	return mustColor(byName[name].Light)
}

func (d Document) palette(s Scheme) palette {
	p := palette{s, map[string]colorful.Color{}, d.inkAt(inkShades[0].lightness)}
	for _, v := range Variables {
		p.colors[v.Name] = d.resolve(s, v.Name)
	}
	return p
}

// ground returns a ground of a colour.
func (p palette) ground(name string, on colorful.Color) colorful.Color {
	switch name {
	case underPointer:
		return pointedAt(p.colors["amber"])
	case ownWash:
		return mix(on, 0.11, p.colors["paper"])
	}
	return p.colors[name]
}

// pointedAt is the accent under the pointer.
func pointedAt(accent colorful.Color) colorful.Color {
	return mix(accent, 0.88, colorful.Color{R: 1, G: 1, B: 1})
}

// worst returns the ground with the least contrast to a colour, as far as it is too low,
// and the contrast that is needed.
func (p palette) worst(which pair, on colorful.Color) (against string, ratio, least float64) {
	measure := func(name string, found, need float64) {
		if found < need && (against == "" || found < ratio) {
			against, ratio, least = name, found, need
		}
	}
	for _, name := range which.grounds {
		need := which.least
		if name == ownWash {
			need = mixedContrast
		}
		measure(name, contrast(on, p.ground(name, on)), need)
	}
	if which.on == "focus" && p.scheme == Dark {
		measure("code", contrast(on, p.ink), which.least)
	}
	return against, ratio, least
}

// groundContrast returns what a ground is hardest to tell apart from, as far as it is
// too near: the end of the scale on which text lies, or a colour that no theme changes.
func (p palette) groundContrast(name string, ground colorful.Color) (against string, ratio, least float64) {
	if name == "amber" {
		pressed := pointedAt(ground)
		dark, light := colorful.Color{}, colorful.Color{R: 1, G: 1, B: 1}
		ratio = max(min(contrast(dark, ground), contrast(dark, pressed)), min(contrast(light, ground), contrast(light, pressed)))
		if ratio < textContrast {
			return "black and with white", ratio, textContrast
		}
		return "", 0, 0
	}
	end, label := colorful.Color{}, "black"
	if p.scheme == Dark {
		end, label = colorful.Color{R: 1, G: 1, B: 1}, "white"
	}
	if found := contrast(ground, end); found < room {
		return label, found, room
	}
	if !slices.Contains([]string{"paper", "raised", "hover"}, name) {
		return "", 0, 0
	}
	ratio = fixedContrast
	for _, text := range fixed[p.scheme] {
		if found := contrast(ground, text); found < ratio {
			against, ratio, least = "the colours of products and of path parameters", found, fixedContrast
		}
	}
	return against, ratio, least
}

// Check returns the problems of a document, none for one that can be read. The offered
// colours pass together: grounds come first, and the other colours are measured with
// what is offered for them.
func (d Document) Check() (problems []Problem) {
	for _, s := range Schemes {
		p := d.palette(s)
		for _, v := range Variables {
			if !v.Ground {
				continue
			}
			if against, ratio, least := p.groundContrast(v.Name, p.colors[v.Name]); against != "" {
				offer := nearest(p.colors[v.Name], func(c colorful.Color) bool {
					against, _, _ := p.groundContrast(v.Name, c)
					return against == ""
				})
				p.colors[v.Name] = offer
				problems = append(problems, Problem{s, v.Name, against, ratio, least, offer.Hex()})
			}
		}
		if d.followsAccent(s) {
			p.colors["focus"] = p.colors["amber"]
		}
		for _, which := range pairs {
			on := p.colors[which.on]
			against, ratio, least := p.worst(which, on)
			if against == "" {
				continue
			}
			offer := nearest(on, func(c colorful.Color) bool { against, _, _ := p.worst(which, c); return against == "" })
			if v := byName[against]; v != nil {
				against = "“" + v.Label + "”"
			}
			problems = append(problems, Problem{s, which.on, against, ratio, least, offer.Hex()})
		}
	}
	return problems
}

// Repair returns the document with every colour that Check offers. A document that is
// not valid names its fields.
func (d Document) Repair() (Document, error) {
	d, err := d.normal()
	if err != nil {
		return d, err
	}
	for _, p := range d.Check() {
		d = d.With(p.Scheme, p.Name, p.Offer)
	}
	return d, nil
}

// nearest returns the colour of the same hue that passes and looks most like another
// one. Black or white passes always: see room.
func nearest(c colorful.Color, passes func(colorful.Color) bool) colorful.Color {
	lightness, chroma, hue := c.OkLch()
	best, distance := colorful.Color{}, math.Inf(1)
	try := func(l float64) {
		if l < 0 || l > 1 || math.Abs(l-lightness)-rounding > distance {
			return
		}
		for _, share := range []float64{1, 0.5, 0} {
			candidate := rounded(inGamut(l, chroma*share, hue))
			if d := distant(candidate, c); d < distance && passes(candidate) {
				best, distance = candidate, d
			}
		}
	}
	const steps = 160
	for middle, away := math.Round(lightness*steps), 0.0; away <= steps; away++ {
		try((middle - away) / steps)
		try((middle + away) / steps)
	}
	return best
}

// rounding is more than 8 bits a channel change a lightness by.
const rounding = 0.02

// distant returns how far two colours are apart in OKLab.
func distant(a, b colorful.Color) float64 {
	al, aa, ab := a.OkLab()
	bl, ba, bb := b.OkLab()
	return math.Hypot(math.Hypot(al-bl, aa-ba), ab-bb)
}
