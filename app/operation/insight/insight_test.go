package insight_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/insight"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
)

const (
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	gpt     = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.0; +https://openai.com/gptbot)"
	google  = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	curl    = "curl/8.5.0"
)

var agents = map[insight.Reader]string{insight.Person: firefox, insight.AI: gpt, insight.Search: google, insight.Tool: curl, insight.Unknown: "Lamp"}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// lossy loses the answer to some commits that were made, and refuses others.
type lossy struct {
	db.Beginner
	random *rand.Rand
	lost   int
}

var errLost = errors.New("the connection was lost")

func (l *lossy) Begin(ctx context.Context) (pgx.Tx, error) {
	if l.random.IntN(4) == 0 {
		l.lost++
		return nil, errLost
	}
	tx, err := l.Beginner.Begin(ctx)
	return &lossyTx{tx, l}, err
}

type lossyTx struct {
	pgx.Tx
	l *lossy
}

func (t *lossyTx) Commit(ctx context.Context) error {
	err := t.Tx.Commit(ctx)
	if err == nil && t.l.random.IntN(3) == 0 {
		t.l.lost++
		return errLost
	}
	return err
}

// A log of 50,000 requests with known answers gives every figure, over a change of the
// clock, and though the database often does not answer.
func TestFiftyThousandRequests(t *testing.T) {
	t.Parallel()
	tx, berlin := dbtest.Tx(t), zone(t, "Europe/Berlin")
	random := rand.New(rand.NewPCG(48, 7))
	away := &lossy{Beginner: tx, random: random}
	now := time.Date(2026, 3, 27, 22, 0, 0, 0, berlin)
	counter := insight.NewCounter(away, berlin)
	counter.SetNow(func() time.Time { return now })

	type cell struct{ start, page, reader string }
	want := map[string]map[cell]int64{"hour": {}, "day": {}, "month": {}}
	days := map[string]int64{}
	readers := insight.Readers
	for range 50_000 {
		now = now.Add(time.Duration(random.IntN(16)) * time.Second)
		p := insight.Page{Path: fmt.Sprint("/docs/sms/1.0/call-", random.IntN(40)), Kind: "endpoint", Product: "sms", Version: "1.0"}
		by := readers[random.IntN(len(readers))]
		v := insight.Visit{Page: p, UserAgent: agents[by], Language: "de-DE,de;q=0.9", Loaded: true, OwnHost: "docs.example.com", Referrer: fmt.Sprintf("https://www.host%d.example/path?q=secret", random.IntN(30))}
		counter.View(v)
		local := now.In(berlin)
		want["hour"][cell{local.Truncate(time.Hour).UTC().Format(time.RFC3339), p.Path, string(by)}]++
		want["day"][cell{time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, berlin).UTC().Format(time.RFC3339), p.Path, string(by)}]++
		want["month"][cell{time.Date(local.Year(), local.Month(), 1, 0, 0, 0, 0, berlin).UTC().Format(time.RFC3339), p.Path, string(by)}]++
		if by == insight.Person {
			days[local.Format(time.DateOnly)+" source "+fmt.Sprint(v.Referrer[12:len(v.Referrer)-len("/path?q=secret")])]++
			days[local.Format(time.DateOnly)+" language de"]++
		}
		if random.IntN(300) == 0 {
			_ = counter.Write(t.Context()) // fails at times
		}
	}
	for counter.Write(t.Context()) != nil {
	}
	if away.lost < 20 {
		t.Fatalf("only %d answers were lost", away.lost)
	}
	got := map[string]map[cell]int64{"hour": {}, "day": {}, "month": {}}
	rows, _ := tx.Query(t.Context(), `select grain, start, page, reader, count from insight_views`)
	var grain, path, by string
	var start time.Time
	var n int64
	_, err := pgx.ForEachRow(rows, []any{&grain, &start, &path, &by, &n}, func() error {
		got[grain][cell{start.UTC().Format(time.RFC3339), path, by}] = n
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(cell{})); diff != "" {
		t.Errorf("the views differ:\n%.2000s", diff)
	}
	gotDays := map[string]int64{}
	rows, _ = tx.Query(t.Context(), `select day::text || ' ' || what || ' ' || name, count from insight_days where what in ('source', 'language')`)
	if _, err := pgx.ForEachRow(rows, []any{&path, &n}, func() error { gotDays[path] = n; return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(days, gotDays); diff != "" {
		t.Errorf("the days differ:\n%.2000s", diff)
	}
	var totals int64
	if err := tx.QueryRow(t.Context(), `select sum(count) from insight_totals where grain = 'hour'`).Scan(&totals); err != nil || totals != 50_000 {
		t.Errorf("%d views in all, %v", totals, err)
	}
}

// Rows grow with pages and hours, and not with views.
func TestRowsGrowWithPages(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	now := time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	counter := insight.NewCounter(tx, time.UTC)
	counter.SetNow(func() time.Time { return now })
	rows := func() (n int) {
		for range 2_000 {
			counter.View(insight.Visit{Page: insight.Page{Path: "/docs/sms", Kind: "product", Product: "sms"}, UserAgent: firefox, Language: "en", Loaded: true, Referrer: "https://search.example/"})
		}
		if err := counter.Write(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := tx.QueryRow(t.Context(), `select (select count(*) from insight_views) + (select count(*) from insight_totals) + (select count(*) from insight_days)`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := rows()
	if again := rows(); again != first {
		t.Errorf("%d rows became %d by views of the same page in the same hour", first, again)
	}
	now = now.Add(time.Hour)
	if later := rows(); later != first+2 { // of a view and of a sum
		t.Errorf("%d rows became %d in the next hour", first, later)
	}
}

// Days have as many hours as the clock of the zone says, and each view its own.
func TestClockChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zone, day string
		hours     int
	}{
		{"Europe/Berlin", "2026-03-29", 23}, {"Europe/Berlin", "2026-10-25", 25}, {"America/New_York", "2026-03-08", 23}, {"America/New_York", "2026-11-01", 25},
		{"Asia/Kolkata", "2026-03-29", 24}, {"UTC", "2026-03-29", 24},
	} {
		z := zone(t, c.zone)
		s, err := insight.NewSpan("day", c.day, time.Now(), z)
		if err != nil || len(s.Steps) != c.hours || s.Until.Sub(s.From) != time.Duration(c.hours)*time.Hour {
			t.Errorf("%s of %s has %d hours, %v", c.day, c.zone, len(s.Steps), err)
		}
		tx := dbtest.Tx(t)
		now := s.From
		counter := insight.NewCounter(tx, z)
		counter.SetNow(func() time.Time { return now })
		for ; now.Before(s.Until); now = now.Add(10 * time.Minute) {
			counter.View(insight.Visit{Page: insight.Page{Path: "/", Kind: "home"}, UserAgent: firefox})
		}
		if err := counter.Write(t.Context()); err != nil {
			t.Fatal(err)
		}
		trend, err := insight.Views(t.Context(), tx, s, s.Filter())
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range trend.Counts[insight.Person] {
			if n != 6 {
				t.Errorf("hour %d of %s in %s has %d views instead of 6", i, c.day, c.zone, n)
			}
		}
		if s, err = insight.NewSpan("7", c.day, time.Now(), z); err != nil || len(s.Steps) != 7 {
			t.Errorf("seven days have %d, %v", len(s.Steps), err)
		}
		if trend, _ = insight.Views(t.Context(), tx, s, s.Filter()); trend.Counts[insight.Person][6] != int64(6*c.hours) {
			t.Errorf("the day has %d views", trend.Counts[insight.Person][6])
		}
	}
}

// Views before and after a full hour keep their own.
func TestHoursAreTheirOwn(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	now := time.Date(2026, 5, 4, 13, 45, 0, 0, time.UTC)
	counter := insight.NewCounter(tx, time.UTC)
	counter.SetNow(func() time.Time { return now })
	v := insight.Visit{Page: insight.Page{Path: "/", Kind: "home"}, UserAgent: firefox}
	counter.View(v)
	now = now.Add(20 * time.Minute)
	counter.View(v)
	if err := counter.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, _ := insight.NewSpan("day", "2026-05-04", now, time.UTC)
	trend, err := insight.Views(t.Context(), tx, s, s.Filter())
	if counts := trend.Counts[insight.Person]; err != nil || counts[13] != 1 || counts[14] != 1 {
		t.Errorf("%v, %v", counts, err)
	}
}

// What follows a host, and hosts that could name a person, are not kept.
func TestSourcesAreHosts(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	counter := insight.NewCounter(tx, time.UTC)
	for _, referrer := range []string{
		"", "https://docs.example.com/docs", "https://ada:secret@www.Search.example:8443/find?q=ada@example.com#ada", "http://203.0.113.9/ada", "http://[2001:db8::1]/", "http://adas-laptop/", "http://printer.local/", "https://müller.example/", "app://com.example.app/", "nonsense",
	} {
		counter.View(insight.Visit{Page: insight.Page{Path: "/", Kind: "home"}, UserAgent: firefox, Loaded: true, Referrer: referrer, OwnHost: "docs.example.com"})
	}
	if err := counter.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	f := models.InsightFilter{BeforeDay: time.Now().AddDate(0, 0, -2), FromDay: time.Now().AddDate(0, 0, -2), UntilDay: time.Now().AddDate(0, 0, 2)}
	rows, err := insight.Days(t.Context(), tx, insight.Sources, f, queries.InsightGroup{Name: true}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		got[r.Name] = r.Count
	}
	if diff := cmp.Diff(map[string]int64{"": 2, "search.example": 1, "other": 5, "com.example.app": 1}, got); diff != "" {
		t.Error(diff)
	}
}

// Of a day's hosts those with the most readers stay, and nobody is lost.
func TestHostsAreFolded(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	now := time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	counter := insight.NewCounter(tx, time.UTC)
	counter.SetNow(func() time.Time { return now })
	for i := range 500 {
		for range 1 + i/100 {
			counter.View(insight.Visit{Page: insight.Page{Path: "/docs/sms", Kind: "product", Product: []string{"sms", "rcs"}[i%2]}, UserAgent: firefox, Loaded: true, Referrer: fmt.Sprintf("https://host%d.example/", i)})
		}
	}
	if err := counter.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := insight.Collect(t.Context(), tx, now.AddDate(0, 0, 1), time.UTC); err != nil {
		t.Fatal(err)
	}
	var hosts, people, least int
	if err := tx.QueryRow(t.Context(), `select count(*) filter (where name <> 'other'), sum(count), min(count) filter (where name <> 'other') from insight_days where what = 'source'`).Scan(&hosts, &people, &least); err != nil {
		t.Fatal(err)
	}
	if hosts != 200 || people != 1500 || least < 4 {
		t.Errorf("%d hosts with %d people, the smallest with %d", hosts, people, least)
	}
}

// A job counts what tables know, and counting again changes nothing.
func TestCollect(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := tx.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec(`insert into feedback (page, helpful, comment, reader) values ('/docs/sms/1.0/send', true, 'Ada says thanks', 'a'), ('/docs/sms/1.0/send', true, '', 'b'), ('/productguide/sms/start', false, '', 'c')`)
	exec(`insert into contact_enquiries (id, reference, organisation, name, email, message, consent_version, fingerprint, status) values
		(gen_random_uuid(), 'E1', 'Lamps', 'Ada', 'ada@example.com', 'Hello', '1', 'x', 'new'), (gen_random_uuid(), 'E2', 'Lamps', 'Ada', 'ada@example.com', 'Hello', '1', 'y', 'spam')`)
	exec(`insert into organisations (name, status, created_at, verified_at) values ('Counted', 'active', now() - interval '3 days', now() - interval '2 days')`)
	for range 2 {
		if err := insight.Collect(t.Context(), tx, time.Now(), time.UTC); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]int64{}
	rows, _ := tx.Query(t.Context(), `select concat_ws(' ', what, product, version, name, detail), count from insight_days`)
	var name string
	var n int64
	if _, err := pgx.ForEachRow(rows, []any{&name, &n}, func() error { got[name] = n; return nil }); err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{"thumb sms 1.0 /docs/sms/1.0/send yes": 2, "thumb sms  /productguide/sms/start no": 1, "enquiry   received ": 1, "enquiry   spam ": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	steps, err := queries.InsightStepsGet(t.Context(), tx, time.Now().AddDate(0, 0, -4), time.Now().AddDate(0, 0, -2))
	if err != nil || steps.Registered != 1 || steps.Verified != 1 || steps.Key != 0 || steps.VerifiedSeconds == nil || *steps.VerifiedSeconds != 86400 {
		t.Errorf("%+v, %v", steps, err)
	}
}

// Old counts go: hours first, then days, then months.
func TestSweep(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	now := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	counter := insight.NewCounter(tx, time.UTC)
	counter.SetNow(func() time.Time { return now })
	counter.View(insight.Visit{Page: insight.Page{Path: "/", Kind: "home"}, UserAgent: firefox})
	if err := counter.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ days, want int }{{90, 3}, {120, 2}, {3 * 365, 1}, {5 * 365, 0}} {
		if err := insight.Sweep(t.Context(), tx, now.AddDate(0, 0, c.days)); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := tx.QueryRow(t.Context(), `select count(*) from insight_views`).Scan(&n); err != nil || n != c.want {
			t.Errorf("after %d days %d rows are left, %v", c.days, n, err)
		}
	}
}
