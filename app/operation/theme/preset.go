package theme

// preset is a finished theme to begin with. It has no brand.
type preset struct {
	Name, Label, Summary string
	Document             Document
}

// Presets lists the finished themes beside the default.
var Presets = []preset{
	{"harbour", "Harbour", "Deep blue on cool paper, square and compact.", Document{
		Radius: "3", Density: "compact",
		Light: map[string]string{
			"paper": "#fbfcfe", "raised": "#f2f6fb", "hover": "#e7eef7", "line": "#d8e2ee", "edge": "#b9c8da", "control": "#61738a",
			"text": "#0d1b2c", "soft": "#3c4e63", "faint": "#55677d",
			"amber": "#1a56a8", "on-amber": "#ffffff", "signal": "#17509c", "signal-wash": "#e6f0fd", "focus": "#1a56a8",
		},
		Dark: map[string]string{
			"paper": "#0a1626", "raised": "#102036", "hover": "#182b45", "line": "#203650", "edge": "#35506f", "control": "#6d88a8",
			"text": "#e9f0f9", "soft": "#bccbdd", "faint": "#9badc3",
			"amber": "#8fc0ff", "on-amber": "#06203f", "signal": "#9ac7ff", "signal-wash": "#12305a", "focus": "#8fc0ff",
		},
	}},
	{"grove", "Grove", "Moss green on warm paper, with a serif and room to read.", Document{
		Radius: "10", Density: "roomy", Text: "serif",
		Light: map[string]string{
			"paper": "#fdfcf8", "raised": "#f7f5ec", "hover": "#efecdf", "line": "#e3dfcf", "edge": "#c9c4ae", "control": "#6f6b58",
			"text": "#1e2019", "soft": "#484a3e", "faint": "#626353",
			"amber": "#2f6b3c", "on-amber": "#ffffff", "signal": "#2b6337", "signal-wash": "#e9f3e4", "focus": "#2f6b3c",
		},
		Dark: map[string]string{
			"paper": "#151812", "raised": "#1d2118", "hover": "#272c20", "line": "#323829", "edge": "#4b533f", "control": "#828b72",
			"text": "#eff1e6", "soft": "#c8ccb9", "faint": "#a9ae98",
			"amber": "#9bd08b", "on-amber": "#122a0e", "signal": "#a6d897", "signal-wash": "#23391d", "focus": "#9bd08b",
		},
	}},
	{"press", "Press", "Black and white with one red, as in print.", Document{
		Radius: "0", Text: "geometric",
		Light: map[string]string{
			"paper": "#ffffff", "raised": "#f7f7f7", "hover": "#ededed", "line": "#dddddd", "edge": "#a8a8a8", "control": "#5c5c5c",
			"text": "#000000", "soft": "#383838", "faint": "#595959",
			"amber": "#c8102e", "on-amber": "#ffffff", "signal": "#ab0d26", "signal-wash": "#f8f0f0", "focus": "#c8102e",
		},
		Dark: map[string]string{
			"paper": "#101010", "raised": "#1a1a1a", "hover": "#262626", "line": "#333333", "edge": "#4d4d4d", "control": "#8a8a8a",
			"text": "#ffffff", "soft": "#d0d0d0", "faint": "#adadad",
			"amber": "#ff6b78", "on-amber": "#2d0007", "signal": "#ff8d97", "signal-wash": "#2c1a1b", "focus": "#ff6b78",
		},
	}},
}

// FindPreset returns the finished theme with a name; the default one for "default".
func FindPreset(name string) (Document, bool) {
	if name == "default" {
		return Document{}, true
	}
	for _, p := range Presets {
		if p.Name == name {
			return p.Document, true
		}
	}
	return Document{}, false
}
