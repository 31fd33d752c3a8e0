// Package theme holds the pages on which Super Admins set the themes of the surfaces.
package theme

import (
	"strconv"

	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// IndexPage lists the surfaces.
type IndexPage struct {
	layout.Frame
	Surfaces []SurfaceCard
}

// SurfaceCard is a surface with what it shows.
type SurfaceCard struct {
	Label, Summary, Href string
	Tone                 ui.Tone
	State, Note          string
	Palette              Palette
}

// Palette is a row of colours of each scheme, as #rrggbb.
type Palette struct{ Light, Dark []string }

// EditPage edits the theme of a surface.
type EditPage struct {
	layout.Frame
	Action string
	Lead   string
	State  State
	// Problem is about the form as a whole, and Invalid lists its wrong fields.
	Problem string
	Invalid []ui.Input
	Presets []Preset
	Groups  []Group
	Radius  ui.Input
	Selects []ui.Select
	Name    ui.Input
	Picture []PictureField
	Links   []ui.TextArea
	Footer  ui.Input
	Trial   Trial
	// Export, Reset and Import are addresses.
	Export, Reset, Import string
	File                  ui.Input
	History               ui.Table
}

// State says what is shown to everybody and what is prepared.
type State struct {
	Tone        ui.Tone
	Label, Note string
	// Publish and Discard are addresses, empty without a draft.
	Publish, Discard string
}

// Preset is a finished theme to begin with.
type Preset struct {
	Name, Label, Summary string
	Palette              Palette
}

// Group is a group of colours.
type Group struct {
	Title  string
	Colors []Color
	// Open reports whether the group is open at first.
	Open bool
}

// Color is a colour of both schemes.
type Color struct {
	Label, Token string
	Fields       []ColorField
}

// ColorField is a colour of one scheme. Value is empty for the default, Shown is what
// holds, and Default the default, as #rrggbb.
type ColorField struct {
	Name, Label           string
	Value, Shown, Default string
	Error                 string
}

// PictureField is a logo or an icon.
type PictureField struct {
	Name, Label, Hint, Error string
	Value, Address           string
	Dark                     bool
	Gallery                  ui.Select // without a name if the gallery has none
}

// Trial shows the draft on real pages.
type Trial struct {
	// Live is the address that takes the form while it is filled in.
	Live string
	// Version is the version of the draft.
	Version string
	// Offers are the colours that pass in place of those that do not.
	Offers []Offer
	// Refused are other problems of the form.
	Refused []string
	Saved   string
	Pages   ui.Select
	Frames  []TrialFrame
	State   State
}

// TrialFrame is a page in one scheme.
type TrialFrame struct{ Title, Address string }

// Offer is a problem of contrast, with the colour that passes.
type Offer struct {
	Field, Text, Value string
}

// Regions of the page. trialRegion is what a change of the form replaces.
const formID = "theme-form"

var trialRegion = ui.Live.Of("theme")

// TrialRegion is the region of the trial.
func TrialRegion() ui.Region { return trialRegion }

func (f ColorField) id() string { return "field-" + f.Name }

func (f ColorField) attributes() templ.Attributes {
	attributes := templ.Attributes{"id": f.id(), "name": f.Name, "value": f.Value, "placeholder": f.Default, "aria-label": f.Label}
	if f.Error != "" {
		attributes["aria-invalid"], attributes["aria-describedby"] = "true", f.id()+"-error"
	}
	return attributes
}

// watch sends the form when a field changes, and replaces the trial.
func (t Trial) watch() templ.Attributes {
	return templ.Attributes{
		"hidden": true, "hx-post": t.Live, "hx-trigger": "change from:#" + formID + " delay:250ms", "hx-include": "#" + formID,
		"hx-target": trialRegion.Selector(), "hx-swap": "outerHTML", "hx-sync": "this:replace", "hx-push-url": "false",
	}
}

func contrastTitle(n int) string {
	if n == 1 {
		return "One colour cannot be read. The draft is not saved."
	}
	return itoa(n) + " colours cannot be read. The draft is not saved."
}

func itoa(n int) string { return strconv.Itoa(n) }

// Strip shows the colours of a theme in a table.
func Strip(p Palette) templ.Component { return strip(p) }
