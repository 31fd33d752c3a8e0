package ui

import "github.com/dustin/go-humanize"

// Chart is numbers over time as stacked bars, one for each step.
type Chart struct {
	Title string
	// Steps heads the column of the steps in the table: "Day".
	Steps string
	// Series are what is stacked, five at most, from the bottom up.
	Series []string
	// Neutral keeps the colours that mean good and bad out of the drawing.
	Neutral bool
	// Tint is the colour of the first series; the others follow. From 1 on they mean
	// under way, good and bad.
	Tint int
	Bars []Bar
}

// Bar is one step: as many values as there are series, none negative.
type Bar struct {
	Label  string
	Values []int
}

// The drawing is chartHeight units high and chartStep wide for each bar; the
// stylesheet stretches it to the page.
const (
	chartHeight = 100
	chartStep   = 10
	chartGap    = 2
)

// block is a value within its bar.
type block struct {
	Series, X, Y, Height int
	Title                string
}

// blocks lays the values out; the highest bar fills the height. A value that is
// not zero is at least one unit high, so that it can be seen.
func (c Chart) blocks() (laid []block) {
	top := max(1, c.top())
	for i, bar := range c.Bars {
		y := chartHeight
		for s, value := range bar.Values {
			if value == 0 {
				continue
			}
			height := max(1, value*chartHeight/top)
			y = max(0, y-height)
			laid = append(laid, block{s + c.Tint, i*chartStep + chartGap/2, y, height, bar.Label + ", " + c.Series[s] + ": " + humanize.Comma(int64(value))})
		}
	}
	return laid
}

// top is the height of the highest bar, in what is counted.
func (c Chart) top() (top int) {
	for _, bar := range c.Bars {
		top = max(top, bar.sum())
	}
	return top
}

func (b Bar) sum() (sum int) {
	for _, value := range b.Values {
		sum += value
	}
	return sum
}

// total sums one series up.
func (c Chart) total(series int) string {
	sum := 0
	for _, bar := range c.Bars {
		sum += bar.Values[series]
	}
	return humanize.Comma(int64(sum))
}

// axis names the first step, the middle one and the last.
func (c Chart) axis() []string {
	n := len(c.Bars)
	if n < 3 {
		return nil
	}
	return []string{c.Bars[0].Label, c.Bars[n/2].Label, c.Bars[n-1].Label}
}

// table has the same numbers for those who do not see the drawing, the newest
// first.
func (c Chart) table() Table {
	t := Table{Caption: c.Title, Quiet: true, Columns: []Column{{Label: c.Steps}}}
	for _, name := range c.Series {
		t.Columns = append(t.Columns, Column{Label: name, Numeric: true})
	}
	for i := len(c.Bars) - 1; i >= 0; i-- {
		row := []Cell{{Text: c.Bars[i].Label}}
		for _, value := range c.Bars[i].Values {
			row = append(row, Cell{Text: humanize.Comma(int64(value))})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
