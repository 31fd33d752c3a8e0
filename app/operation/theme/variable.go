package theme

import "github.com/lucasb-eyer/go-colorful"

// variable is a colour that themes set.
type variable struct {
	Name  string // of the token of the style sheet
	Label string
	Group string
	// Light and Dark are the colours of the default theme, as the style sheet has them.
	Light, Dark string
	// Ground reports whether text stands on it.
	Ground bool
}

// The groups of variables in the order of the form.
const (
	neutralGroup = "Neutrals"
	accentGroup  = "Accent"
	meaningGroup = "Meanings"
	methodGroup  = "Methods"
)

// Groups lists the groups of variables.
var Groups = []string{neutralGroup, accentGroup, meaningGroup, methodGroup}

// Variables lists the colours that themes set, in the order of the form. A test compares
// the defaults with the style sheet.
var Variables = []variable{
	{"paper", "Page", neutralGroup, "oklch(0.995 0.001 255)", "oklch(0.19 0.022 262)", true},
	{"raised", "Raised surface", neutralGroup, "oklch(0.976 0.004 255)", "oklch(0.235 0.024 261)", true},
	{"hover", "Surface under the pointer", neutralGroup, "oklch(0.95 0.006 255)", "oklch(0.275 0.024 260)", true},
	{"line", "Fine lines", neutralGroup, "oklch(0.91 0.009 255)", "oklch(0.3 0.022 260)", false},
	{"edge", "Edges of buttons and cards", neutralGroup, "oklch(0.83 0.012 256)", "oklch(0.39 0.022 259)", false},
	{"control", "Borders of fields", neutralGroup, "oklch(0.53 0.02 258)", "oklch(0.56 0.02 258)", false},
	{"text", "Text", neutralGroup, "oklch(0.19 0.022 262)", "oklch(0.95 0.006 255)", false},
	{"soft", "Secondary text", neutralGroup, "oklch(0.43 0.022 259)", "oklch(0.83 0.012 256)", false},
	{"faint", "Faint text", neutralGroup, "oklch(0.53 0.02 258)", "oklch(0.72 0.016 257)", false},

	{"amber", "Accent", accentGroup, "oklch(0.8 0.16 74)", "oklch(0.8 0.16 74)", true},
	{"on-amber", "Text on the accent", accentGroup, "oklch(0.21 0.04 70)", "oklch(0.21 0.04 70)", false},
	{"signal", "Accent as text", accentGroup, "oklch(0.5 0.115 62)", "oklch(0.84 0.14 78)", false},
	{"signal-wash", "Accent as ground", accentGroup, "oklch(0.966 0.036 84)", "oklch(0.27 0.036 76)", true},
	{"focus", "Focus ring", accentGroup, "oklch(0.5 0.13 60)", "oklch(0.8 0.16 74)", false},

	{"good", "Good", meaningGroup, "oklch(0.46 0.115 152)", "oklch(0.83 0.13 155)", false},
	{"good-wash", "Ground of good", meaningGroup, "oklch(0.965 0.028 155)", "oklch(0.27 0.036 157)", true},
	{"warn", "Warning", meaningGroup, "oklch(0.49 0.11 65)", "oklch(0.84 0.12 80)", false},
	{"warn-wash", "Ground of warning", meaningGroup, "oklch(0.966 0.036 84)", "oklch(0.28 0.036 76)", true},
	{"bad", "Bad", meaningGroup, "oklch(0.5 0.18 27)", "oklch(0.79 0.12 25)", false},
	{"bad-wash", "Ground of bad", meaningGroup, "oklch(0.967 0.018 20)", "oklch(0.28 0.05 22)", true},
	{"info", "Information", meaningGroup, "oklch(0.48 0.12 250)", "oklch(0.82 0.09 245)", false},
	{"info-wash", "Ground of information", meaningGroup, "oklch(0.966 0.016 245)", "oklch(0.28 0.036 250)", true},

	{"get", "GET", methodGroup, "oklch(0.47 0.12 245)", "oklch(0.83 0.09 240)", false},
	{"post", "POST", methodGroup, "oklch(0.43 0.11 152)", "oklch(0.87 0.14 155)", false},
	{"put", "PUT", methodGroup, "oklch(0.45 0.16 300)", "oklch(0.79 0.11 300)", false},
	{"patch", "PATCH", methodGroup, "oklch(0.44 0.1 65)", "oklch(0.88 0.11 85)", false},
	{"delete", "DELETE", methodGroup, "oklch(0.46 0.17 25)", "oklch(0.76 0.13 22)", false},
}

// byName finds variables by their names.
var byName = func() map[string]*variable {
	found := map[string]*variable{}
	for i := range Variables {
		found[Variables[i].Name] = &Variables[i]
	}
	return found
}()

// fixed are colours of text that no theme changes, by scheme: the parts of a path, and
// the colours of products. Grounds are checked against them.
var fixed = map[Scheme][]colorful.Color{
	Light: parseAll(append([]string{
		"oklch(0.48 0.09 215)", "oklch(0.48 0.15 310)", "oklch(0.46 0.11 140)", "oklch(0.5 0.15 15)",
	}, tints("oklch(0.49 %.4g %d)", 1)...)),
	Dark: parseAll(append([]string{
		"oklch(0.84 0.09 210)", "oklch(0.82 0.1 310)", "oklch(0.85 0.12 140)", "oklch(0.82 0.1 15)",
	}, tints("oklch(0.83 %.4g %d)", 0.85)...)),
}

// ink is the ground of code in both schemes of the default theme.
const ink = "oklch(0.165 0.02 262)"

// inkShades are the tokens of code that have the hue of its ground, by their lightness.
var inkShades = []struct {
	token     string
	lightness float64
}{{"ink", 0.165}, {"code-line", 0.27}, {"code-hover", 0.23}, {"code-unlit", 0.32}}

// inkAt returns ink of a lightness: with the hue of the dark page, and no more colour
// than it has by default. Its lightness is the same in every theme, so code can be read.
func (d Document) inkAt(lightness float64) colorful.Color {
	_, chroma, hue := d.resolve(Dark, "paper").OkLch()
	return inGamut(lightness, min(chroma, 0.02), hue)
}

// Choice is a value that is chosen from a list. The empty value is the default.
type Choice struct {
	Value, Label string
	css          string
}

// Densities lists how much room pages leave.
var Densities = []Choice{
	{"", "Regular", ""},
	{"compact", "Compact", "--s3:0.625rem;--s4:0.8125rem;--s5:1.1875rem;--s6:1.5rem;--s7:2.25rem;--s8:3.5rem"},
	{"roomy", "Roomy", "--s3:0.875rem;--s4:1.1875rem;--s5:1.8125rem;--s6:2.5rem;--s7:3.75rem;--s8:5.5rem"},
}

// TextFaces lists the typefaces of text, which readers have already.
var TextFaces = []Choice{
	{"", "System", ""},
	{"humanist", "Humanist", `--sans:Seravek,"Gill Sans Nova",Ubuntu,Calibri,"DejaVu Sans",source-sans-pro,sans-serif`},
	{"geometric", "Geometric", `--sans:Avenir,Montserrat,Corbel,"URW Gothic",source-sans-pro,sans-serif`},
	{"serif", "Serif", `--sans:Charter,"Bitstream Charter","Sitka Text",Cambria,"Liberation Serif",serif`},
}

// MonoFaces lists the typefaces of code.
var MonoFaces = []Choice{
	{"", "System", ""},
	{"slab", "Slab", `--mono:"Nimbus Mono PS","Courier New",monospace`},
	{"industrial", "Industrial", `--mono:"DejaVu Sans Mono",Menlo,Consolas,"Liberation Mono",monospace`},
}
