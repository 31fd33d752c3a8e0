package listing

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"heliograph/db/models"
	"heliograph/views/ui"
)

// LongestValue and ShortError are the numbers of characters of a value and of an error
// that a row shows.
const (
	LongestValue = 120
	ShortError   = 56
)

// Lately is a cell with the age of a time, or "Never".
func Lately(t *time.Time, now time.Time) ui.Cell {
	if t == nil {
		return ui.Cell{Text: "Never"}
	}
	return ui.Cell{Text: Ago(*t, now), Title: t.UTC().Format("2 Jan 2006, 15:04:05 UTC")}
}

// Ago returns the time from t until now in words.
func Ago(t, now time.Time) string { return humanize.RelTime(t, now, "ago", "from now") }

// Age writes a duration in its largest unit with at least two of them.
func Age(d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "days"}, {time.Hour, "hours"}, {time.Minute, "minutes"}, {time.Second, "seconds"}} {
		if n := d / unit.size; n >= 2 {
			return fmt.Sprintf("%d %s", n, unit.name)
		}
	}
	return "a moment"
}

// Number writes a whole number with separators.
func Number[N int | int16 | int32 | int64](n N) string { return humanize.Comma(int64(n)) }

// Plain writes a whole number as digits alone, as addresses have it.
func Plain(n int64) string { return strconv.FormatInt(n, 10) }

// Count writes a number that was counted up to models.OverviewLimit.
func Count(n int64) string {
	if n > models.OverviewLimit {
		return "more than " + humanize.Comma(models.OverviewLimit)
	}
	return humanize.Comma(n)
}

// Some writes a number that was counted up to models.OverviewLimit, with the words that
// agree with it.
func Some(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// Clip shortens a text to at most the given number of characters.
func Clip(text string, longest int) string {
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}

// Words makes a name of a field readable: session_version becomes "session
// version".
func Words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Minute is a cell with a time, without its seconds. The age of the time is its title. nil
// is "Never".
func Minute(t *time.Time) ui.Cell {
	if t == nil {
		return ui.Cell{Text: "Never"}
	}
	return ui.Minute(*t)
}

// Pairs returns a list of names and values without empty values.
func Pairs(texts ...string) (list []ui.Pair) {
	for i := 0; i < len(texts); i += 2 {
		if texts[i+1] != "" {
			list = append(list, ui.Pair{Key: texts[i], Value: texts[i+1], Mono: mono[texts[i]]})
		}
	}
	return list
}

// mono holds the names of facts that are identifiers.
var mono = map[string]bool{"Message id": true, "From": true, "To": true, "Carrier's id": true, "URL": true, "webhook-id": true, "Phone number id": true}

// Ending is a row that says how messages to numbers with an ending go.
func Ending(ending, what string) []ui.Cell {
	return []ui.Cell{{Text: ending, Mono: true}, {Text: what}}
}
