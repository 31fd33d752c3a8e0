package admin

import (
	"strconv"
	"time"

	"github.com/dustin/go-humanize"

	"heliograph/views/ui"
)

// when is a cell with a time. The age of the time is its title.
func when(t time.Time) ui.Cell {
	return ui.Moment(t)
}

// ago returns the time from t until now in words.
func ago(t, now time.Time) string { return humanize.RelTime(t, now, "ago", "from now") }

// number writes a whole number with separators, plain without.
func number(n int64) string { return humanize.Comma(n) }
func plain(n int64) string  { return strconv.FormatInt(n, 10) }

// clip shortens a text to at most the given number of characters.
func clip(text string, longest int) string {
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
