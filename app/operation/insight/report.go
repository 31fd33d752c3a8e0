package insight

import (
	"context"
	"fmt"
	"slices"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
)

// Trend is the views of a period.
type Trend struct {
	Span Span
	// Counts are the views of each step by reader.
	Counts map[Reader][]int64
	// Totals covers the whole period, and Earlier the period before.
	Totals, Earlier map[Reader]int64
}

// Total is the sum of all readers.
func (t Trend) Total() (n int64) {
	for _, count := range t.Totals {
		n += count
	}
	return n
}

// EarlierTotal is the sum of all readers in the period before.
func (t Trend) EarlierTotal() (n int64) {
	for _, count := range t.Earlier {
		n += count
	}
	return n
}

// Views returns the views of a period, of one page if the filter names it.
func Views(ctx context.Context, q db.Querier, s Span, f models.InsightFilter) (Trend, error) {
	t := Trend{Span: s, Counts: map[Reader][]int64{}, Totals: map[Reader]int64{}, Earlier: map[Reader]int64{}}
	read := queries.InsightTotalList
	if f.Page != "" {
		read = queries.InsightPageTotalList
	}
	rows, err := read(ctx, q, f)
	if err != nil {
		return t, fmt.Errorf("reading views: %w", err)
	}
	for _, r := range rows {
		by := Reader(r.Reader)
		at := s.Step(r.Start)
		if at < 0 {
			t.Earlier[by] += r.Count
			continue
		}
		if t.Counts[by] == nil {
			t.Counts[by] = make([]int64, len(s.Steps))
		}
		t.Counts[by][at] += r.Count
		t.Totals[by] += r.Count
	}
	return t, nil
}

// Sum is how often something happened in a period and in the one before.
type Sum struct{ Now, Earlier int64 }

// Sums returns the sums of everything that is counted by day.
func Sums(ctx context.Context, q db.Querier, f models.InsightFilter) (map[string]Sum, error) {
	rows, err := queries.InsightDayList(ctx, q, []string{Searches, Copies, Exports, Libraries, Mocks, Consoles, Simulators, Tools, Thumbs, Enquiries}, f, queries.InsightGroup{}, 100)
	if err != nil {
		return nil, fmt.Errorf("reading counts of days: %w", err)
	}
	sums := map[string]Sum{}
	for _, r := range rows {
		sums[r.What] = Sum{r.Count, r.EarlierCount}
	}
	return sums, nil
}

// Days returns the counts of one thing, summed up.
func Days(ctx context.Context, q db.Querier, what string, f models.InsightFilter, by queries.InsightGroup, limit int) ([]models.InsightDay, error) {
	rows, err := queries.InsightDayList(ctx, q, []string{what}, f, by, limit)
	if err != nil {
		return nil, fmt.Errorf("reading counts of %s: %w", what, err)
	}
	return rows, nil
}

// Share is how many of all searches found nothing, in hundredths.
func Share(part, all int64) int64 {
	if all == 0 {
		return 0
	}
	return (part*100 + all/2) / all
}

// Merge adds up rows by a name that is made of each, the largest first.
func Merge(rows []models.InsightDay, name func(models.InsightDay) string) (merged []models.InsightDay) {
	at := map[string]int{}
	for _, r := range rows {
		key := name(r)
		i, ok := at[key]
		if !ok {
			i = len(merged)
			at[key] = i
			merged = append(merged, models.InsightDay{What: r.What, Name: key})
		}
		merged[i].Count += r.Count
		merged[i].EarlierCount += r.EarlierCount
	}
	slices.SortStableFunc(merged, func(a, b models.InsightDay) int { return int(b.Count - a.Count) })
	return merged
}
