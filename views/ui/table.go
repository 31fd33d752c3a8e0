package ui

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/dustin/go-humanize"
)

// Pair is one line of a key-value list. Mono is for identifiers and code; Href
// makes the value a link.
type Pair struct {
	Key   string
	Value string
	Mono  bool
	Href  string
	At    time.Time // that the value says in UTC; zero for none
}

// Column heads a column of a table. Numeric columns are set to the right in
// figures of one width. On a narrow screen the Lead, else the first column,
// heads its row, and the others follow in small type, each after its label unless
// it is Plain.
type Column struct {
	Label   string
	Numeric bool
	Lead    bool
	Plain   bool
	// Sort is the link that sorts by the column, if it can be sorted by. Order is
	// how it is sorted now: "ascending", "descending" or empty.
	Sort  Link
	Order string
}

// sorting returns the attributes of the column that the table is sorted by.
func (c Column) sorting() templ.Attributes {
	if c.Order == "" {
		return nil
	}
	return templ.Attributes{"aria-sort": c.Order}
}

// Cell is one value of a table. The zero Cell is empty.
type Cell struct {
	Text string
	// At is the time that the text says in UTC, zero for none. A script shows it in the
	// reader's time zone, also in the head of its column, which ends with "(UTC)".
	At time.Time
	// Note follows the text, fainter.
	Note string
	// Title is the long form, for example how long ago a time was.
	Title string
	// Href makes the text a link.
	Href string
	// Mono is for identifiers and code.
	Mono bool
	// Badge shows the text as a badge of the tone.
	Badge bool
	Tone  Tone
	// Opens has the link open its page in a row below, in this region. For a cell
	// with a Body it only makes the place.
	Opens Region
	// Body replaces everything else.
	Body templ.Component
}

// Moment returns a cell with a time to the second. The age of the time is its title.
func Moment(t time.Time) Cell {
	return Cell{Text: t.UTC().Format("2 Jan 2006, 15:04:05"), Title: humanize.Time(t), At: t}
}

// Minute returns a cell with a time to the minute. The age of the time is its title.
func Minute(t time.Time) Cell {
	return Cell{Text: t.UTC().Format("2 Jan 2006, 15:04"), Title: humanize.Time(t), At: t}
}

// machine writes a time for machines.
func machine(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// Table is a list of rows, one cell for each column. Quiet hides the caption
// if a heading above says the same.
type Table struct {
	Caption string
	Quiet   bool
	Columns []Column
	Rows    [][]Cell
	// Rest continues a list that is shown in pages.
	Rest Rest
	// Kept keeps what rows have opened when the table is replaced.
	Kept bool
}

// Texts returns a row of plain cells.
func Texts(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	return row
}

// longID and longWord are the lengths of ids and of words in other text that are broken,
// so that they do not push the other columns off the page.
const (
	longID   = 48
	longWord = 24
)

// long reports whether a cell has a word that is broken.
func (c Cell) long() bool {
	most := longWord
	if c.Mono {
		most = longID
	}
	return slices.ContainsFunc(strings.Fields(c.Text+" "+c.Note), func(word string) bool { return utf8.RuneCountInString(word) > most })
}

// classes returns the classes of a cell.
func (t Table) classes(column int, c Cell) (classes []string) {
	head := t.Columns[column]
	topic := max(0, slices.IndexFunc(t.Columns, func(c Column) bool { return c.Lead }))
	for _, is := range []struct {
		class string
		true  bool
	}{
		{"numeric", head.Numeric}, {"mono", c.Mono}, {"long", c.long()}, {"topic", column == topic}, {"mark", c.Badge}, {"plain", head.Plain},
		{"blank", c.Body == nil && (c.Text == "" || c.Text == "–")},
	} {
		if is.true {
			classes = append(classes, is.class)
		}
	}
	return classes
}

func titled(c Cell) templ.Attributes {
	if c.Title == "" {
		return nil
	}
	return templ.Attributes{"title": c.Title}
}
