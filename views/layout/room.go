package layout

import (
	"fmt"
	"strings"
	"unicode"
)

// rooms are the widths of screens, in rem, from which the links of the header can stand
// beside its menu, each with a rule in static/css/shell.css. Taken is what the header
// needs beside them and the name. Below 64 rem search is small, and there are headers with
// a button for the navigation.
var rooms = []struct{ width, taken float64 }{{52, 37.5}, {56, 37.5}, {64, 42}, {72, 42}, {80, 42}, {88, 42}, {96, 42}}

// Below 52 rem the name is hidden, and a header of leastRoom with links of fewLinks
// stays in one row.
const (
	leastRoom = 40
	fewLinks  = 7
)

// wideLogo is how much wider a logo of the surface's own can be than the mark, in rem.
const wideLogo = 10.5

// room returns the class that names the width of screens from which the links stand
// beside the menu rather than in it. It is empty for links that always stand in it.
func (p Page) room() string {
	name := breadth(p.name())
	if p.brand().pictured() {
		name = wideLogo
	}
	var links float64
	for _, l := range p.places() {
		links += breadth(l.Label)/1.2 + 1.25 // with the space around it
	}
	for i, r := range rooms {
		if r.taken+name+links > r.width {
			continue
		}
		if i == 0 && links <= fewLinks && !p.brand().pictured() {
			return roomClass(leastRoom)
		}
		return roomClass(r.width)
	}
	return ""
}

func roomClass(width float64) string { return fmt.Sprintf("room-%.0f", width) }

// breadth estimates how wide bold text is, in its own em. Faces differ: it is rather more
// than less, and what is wider all the same is cut off with an ellipsis.
func breadth(text string) (em float64) {
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case strings.ContainsRune(" .,:;'|!()[]/-fijlrtI", r):
			em += 0.33
		case strings.ContainsRune("mwMW@%", r) || r >= 0x1100 && r < 0x1e00 || r >= 0x2e80:
			em += 1
		case unicode.IsUpper(r):
			em += 0.72
		default:
			em += 0.6
		}
	}
	return em
}
