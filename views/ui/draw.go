package ui

import "strconv"

// icons are paths on a 16 by 16 grid, drawn with the current colour.
var icons = map[string]string{
	"menu":   "M2 4h12M2 8h12M2 12h8",
	"search": "M7 2a5 5 0 1 0 0 10A5 5 0 1 0 7 2zM10.8 10.8L14 14",
	"close":  "M3 3l10 10M13 3L3 13",
	"theme":  "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zM8 2v12A6 6 0 0 0 8 2z",
	"arrow":  "M3 8h10M9 4l4 4-4 4",
	"down":   "M4 6l4 4 4-4",
}

func itoa(n int) string { return strconv.Itoa(n) }

func viewBox(width int) string { return "0 0 " + itoa(width) + " 4" }
