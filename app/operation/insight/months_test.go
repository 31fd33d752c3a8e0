package insight_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/operation/insight"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
)

// A period has the sum of its days, whether months are added up or not, and whether
// its days are read or its months.
func TestMonthsAreTheSumsOfTheirDays(t *testing.T) {
	t.Parallel()
	tx, ctx := dbtest.Tx(t), t.Context()
	now := time.Date(2026, 5, 17, 10, 0, 0, 0, time.UTC)
	counter := insight.NewCounter(tx, time.UTC)
	for day := range 400 {
		counter.SetNow(func() time.Time { return now.AddDate(0, 0, -day) })
		for n := range 1 + day*day%7 {
			counter.Add(insight.Event{What: insight.Copies, Product: []string{"sms", "rcs"}[n%2], Name: "/docs", Detail: []string{"go", "php", "curl"}[(n+day)%3]})
			counter.View(insight.Visit{Page: insight.Page{Path: fmt.Sprint("/docs/", (n+day)%5), Kind: "endpoint", Product: "sms"}, UserAgent: []string{firefox, "curl/8"}[n%2]})
		}
	}
	if err := counter.Write(ctx); err != nil {
		t.Fatal(err)
	}
	scan := func(into any, sql string, args ...any) {
		t.Helper()
		if err := tx.QueryRow(ctx, sql, args...).Scan(into); err != nil {
			t.Fatal(err)
		}
	}
	read := func() (all [][]models.InsightDay) {
		t.Helper()
		for _, span := range []string{"7", "28", "90", "12m", "24m"} {
			s, err := insight.NewSpan(span, "", now, time.UTC)
			if err != nil {
				t.Fatal(err)
			}
			for _, by := range []queries.InsightGroup{{}, {Detail: true}, {Product: true, Name: true, Detail: true}, {Day: true}} {
				rows, err := insight.Days(ctx, tx, insight.Copies, s.Filter(), by, 1000)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, rows)
			}
			var sum, earlier, days, daysBefore int64
			for _, r := range all[len(all)-1] {
				sum, earlier = sum+r.Count, earlier+r.EarlierCount
			}
			scan(&days, `select coalesce(sum(count), 0)::bigint from insight_days where what = 'copy' and day >= $1 and day < $2`, s.From, s.Until)
			scan(&daysBefore, `select coalesce(sum(count), 0)::bigint from insight_days where what = 'copy' and day >= $1 and day < $2`, s.Before, s.From)
			if sum != days || earlier != daysBefore {
				t.Errorf("%s: %d and %d before, by day %d and %d", span, sum, earlier, days, daysBefore)
			}
		}
		return all
	}
	before := read()
	for range 2 {
		if err := insight.Collect(ctx, tx, now, time.UTC); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(before, read()); diff != "" {
		t.Errorf("months change sums: %s", diff)
	}
	var first, last time.Time
	scan(&first, `select min(month) from insight_months`)
	scan(&last, `select max(month) from insight_months`)
	if first.Format(time.DateOnly) != "2025-04-01" || last.Format(time.DateOnly) != "2026-04-01" {
		t.Errorf("months from %v to %v are added up", first, last)
	}
	// A month is read in place of its days.
	if _, err := tx.Exec(ctx, `delete from insight_days where day >= '2026-03-01' and day < '2026-04-01'`); err != nil {
		t.Fatal(err)
	}
	s, _ := insight.NewSpan("90", "", now, time.UTC)
	rows, err := insight.Days(ctx, tx, insight.Copies, s.Filter(), queries.InsightGroup{}, 10)
	if want := before[8]; err != nil || !cmp.Equal(rows, want) {
		t.Errorf("without the days of March: %v, want %v, %v", rows, want, err)
	}

	for _, span := range []string{"day", "7", "28", "90", "24m"} {
		s, _ := insight.NewSpan(span, "", now, time.UTC)
		f := s.Filter()
		f.Readers = []string{string(insight.Person)}
		pages, err := queries.InsightPageList(ctx, tx, f, 10)
		if err != nil {
			t.Fatal(err)
		}
		if len(pages) == 0 {
			t.Errorf("%s has no pages", span)
		}
		for _, p := range pages {
			var sum, earlier int64
			const sql = `select coalesce(sum(count), 0)::bigint from insight_views where grain = 'hour' and reader = 'person' and page = $1 and start >= $2 and start < $3`
			scan(&sum, sql, p.Page, s.From, s.Until)
			scan(&earlier, sql, p.Page, s.Before, s.From)
			if p.Count != sum || p.EarlierCount != earlier || p.PersonCount != sum || p.Kind != "endpoint" || p.Product != "sms" {
				t.Errorf("%s: %+v, by hour %d and %d before", span, p, sum, earlier)
			}
		}
	}
}
