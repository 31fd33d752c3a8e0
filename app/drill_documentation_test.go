//go:build drill && linux

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	queries "heliograph/db/queries/documentation"
)

var (
	drillProducts  = flag.Int("drill.products", 50, "how many products the drill of the documentation loads")
	drillEndpoints = flag.Int("drill.endpoints", 1000, "how many endpoints each of them has")
	drillReads     = flag.Int("drill.reads", 5000, "how many different pages the drill of the documentation reads, each twice")
)

// The goals of the drill of the documentation.
const (
	firstAnswerGoal = 5 * time.Second
	residentGoal    = 400 // MB
	publishGoal     = 300 * time.Millisecond
)

// TestDrillDocumentation measures a web process on 50 products with 1,000 endpoints
// each: start to first answer, memory and times after pages of every product
// were read, and how long one changed word takes to be published and shown. It
// needs 5 GB of disk:
//
//	go test -tags drill -run DrillDocumentation -timeout 20m -v ./app
func TestDrillDocumentation(t *testing.T) {
	f := newFleet(t)
	started := time.Now()
	f.loadDocumentation()
	t.Logf("%d products with %d endpoints loaded in %v", *drillProducts, *drillEndpoints, time.Since(started).Round(time.Second))
	pages := f.drillPages()

	started = time.Now()
	web, err := f.launch("web", freeAddress())
	if err != nil {
		t.Fatal(err)
	}
	defer web.end(syscall.SIGKILL)
	waitUntil(t, 2*time.Minute, "the first page is there", func() bool { return statusOf(web.url+pages[0]) == http.StatusOK })
	first := time.Since(started)
	t.Logf("start to first answer: %v, %v of processor time; resident then: %d MB", first.Round(time.Millisecond), web.processorTime(t), web.resident(t))
	if first > firstAnswerGoal {
		t.Errorf("the first answer takes %v, over %v", first, firstAnswerGoal)
	}

	cold, warm := web.read(t, pages), web.read(t, pages)
	t.Logf("%d pages for the first time: p50 %v, p99 %v; again: p50 %v, p99 %v", len(pages), percentile(cold, 50), percentile(cold, 99), percentile(warm, 50), percentile(warm, 99))
	if mb := web.resident(t); mb > residentGoal {
		t.Errorf("the web process has %d MB resident, over %d", mb, residentGoal)
	} else {
		t.Logf("resident after reading: %d MB", mb)
	}

	f.publishWord(web, content.KindProduct, "/docs/channel-0", "people")
	f.publishWord(web, content.KindEndpoint, pages[0], "before you")
	t.Logf("resident at the end: %d MB", web.resident(t))
	f.checkLogs()
}

// loadDocumentation publishes one product and copies its rows for the others.
func (f *fleet) loadDocumentation() {
	f.t.Helper()
	ctx := f.t.Context()
	document, err := openapi.Read(corpus.Generate(f.t, 0, *drillEndpoints))
	if err != nil {
		f.t.Fatal(err)
	}
	set, err := editorial.Draft(ctx, f.pool, editorial.System, editorial.Import{
		ProductSlug: "channel-0", Product: content.Product{Name: "Channel", Summary: "Reaches people.", Homepage: true},
		VersionSlug: "1.0", Version: content.Version{Label: content.Current}, Document: document,
	})
	if err == nil {
		err = editorial.Publish(ctx, f.pool, editorial.System, set, true)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	conn, err := f.pool.Acquire(ctx)
	if err != nil {
		f.t.Fatal(err)
	}
	defer conn.Release()
	exec := func(sql string) {
		f.t.Helper()
		if _, err := conn.Exec(ctx, sql); err != nil {
			f.t.Fatalf("%s: %v", sql, err)
		}
	}
	exec(`set session_replication_role = replica`) // no triggers, no foreign keys: the rows are copies of ones that hold
	exec(`set synchronous_commit = off`)
	exec(`set maintenance_work_mem = '512MB'`)
	indexes := f.column(`select indexdef from pg_indexes where tablename like 'search\_%' and indexdef not like '%UNIQUE%'`)
	for _, name := range f.column(`select quote_ident(indexname) from pg_indexes where tablename like 'search\_%' and indexdef not like '%UNIQUE%'`) {
		exec(`drop index ` + name)
	}
	for _, table := range []string{"items", "revisions", "releases", "release_items", "search_rows", "search_names", "search_words"} {
		exec(f.copyStatement(table))
	}
	for _, definition := range indexes {
		exec(definition)
	}
	for _, table := range []string{"items", "revisions", "releases", "search_rows"} {
		exec(fmt.Sprintf(`select setval(pg_get_serial_sequence('%s', 'id'), (select max(id) from %[1]s))`, table))
	}
	exec(`analyze`)
	exec(`reset session_replication_role`)
}

// copyDistance is the distance between the ids of two copies of a row.
const copyDistance = 1_000_000

// copyStatement copies the rows of a table for each further product.
func (f *fleet) copyStatement(table string) string {
	f.t.Helper()
	columns := f.column(`select column_name from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`, table)
	values := make([]string, len(columns))
	for i, c := range columns {
		switch c {
		case "id", "parent_id", "item_id", "revision_id", "live_revision_id", "product_id", "scope_id", "release_id":
			values[i] = fmt.Sprintf("%s + k * %d", c, copyDistance)
		case "change_set_id", "base_id", "restored_from_id", "draft_revision_id":
			values[i] = "null"
		case "slug", "product", "url":
			values[i] = fmt.Sprintf("replace(%s, 'channel-0', 'channel-' || k)", c)
		default:
			values[i] = c
		}
	}
	return fmt.Sprintf(`insert into %s (%s) overriding system value select %s from %[1]s cross join generate_series(1, %[4]d) k`,
		table, strings.Join(columns, ", "), strings.Join(values, ", "), *drillProducts-1)
}

// drillPages draws pages of endpoints across all products, always the same.
func (f *fleet) drillPages() []string {
	slugs := f.column(`select slug from items where kind = 'endpoint' and id < $1 order by id`, copyDistance)
	random := rand.New(rand.NewPCG(1, 2))
	seen, pages := map[string]bool{}, []string{}
	for len(pages) < min(*drillReads, *drillProducts*len(slugs)/2) {
		page := fmt.Sprintf("/docs/channel-%d/1.0/%s", random.IntN(*drillProducts), slugs[random.IntN(len(slugs))])
		if !seen[page] {
			seen[page] = true
			pages = append(pages, page)
		}
	}
	return pages
}

// read reads pages over four connections and returns how long each took.
func (p *process) read(t *testing.T, pages []string) []time.Duration {
	t.Helper()
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
	times := make([]time.Duration, len(pages))
	var running sync.WaitGroup
	for worker := range 4 {
		running.Go(func() {
			for i := worker; i < len(pages); i += 4 {
				began := time.Now()
				res, err := client.Get(p.url + pages[i]) //nolint:noctx // bounded by the client
				if err != nil {
					t.Errorf("%s: %v", pages[i], err)
					return
				}
				io.Copy(io.Discard, res.Body) //nolint:errcheck // its length does not matter
				res.Body.Close()
				if times[i] = time.Since(began); res.StatusCode != http.StatusOK {
					t.Errorf("%s answers %d", pages[i], res.StatusCode)
				}
			}
		})
	}
	running.Wait()
	return times
}

// resident returns the resident memory of a process in MB.
func (p *process) resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb >> 10
}

// processorTime returns the processor time that a process has used.
func (p *process) processorTime(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ") // after the name: state is the third field of the file
	fields := strings.Fields(rest)
	var ticks int
	for _, i := range []int{11, 12} { // utime and stime, in hundredths of a second
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// publishWord changes a word of the item of a page five times, and measures how
// long that takes to publish and to show.
func (f *fleet) publishWord(web *process, kind, page, word string) {
	f.t.Helper()
	var published, shown []time.Duration
	for i := range 5 {
		took, all := f.publishMark(web, edited{kind, page, word}, fmt.Sprintf("marked%d", i))
		published, shown = append(published, took), append(shown, all)
	}
	f.t.Logf("a word of a %s: published after %v, shown after %v (medians of 5)", kind, percentile(published, 50).Round(time.Millisecond), percentile(shown, 50).Round(time.Millisecond))
	if median := percentile(slices.Clone(published), 50); median > publishGoal {
		f.t.Errorf("publishing a word of a %s takes %v, over %v", kind, median, publishGoal)
	}
}

// edited is a word of the item of a page.
type edited struct{ kind, page, word string }

// publishMark puts a mark before a word of an item, and measures how long that takes
// to publish and to show.
func (f *fleet) publishMark(web *process, e edited, mark string) (published, shown time.Duration) {
	f.t.Helper()
	var id int64
	parts := strings.Split(e.page, "/")
	err := f.pool.QueryRow(f.t.Context(), `
		select i.id from items i left join items v on v.id = i.parent_id left join items p on p.id = v.parent_id
		where i.kind = $1 and i.slug = $2 and coalesce(p.slug, v.slug, i.slug) = $3`, e.kind, parts[len(parts)-1], parts[2]).Scan(&id)
	if err != nil {
		f.t.Fatalf("the item of %s: %v", e.page, err)
	}
	item, err := queries.ItemGet(f.t.Context(), f.pool, id)
	if err != nil {
		f.t.Fatal(err)
	}
	revision, err := queries.RevisionGet(f.t.Context(), f.pool, item.LiveRevisionID)
	if err != nil {
		f.t.Fatal(err)
	}
	next := strings.ReplaceAll(string(revision.Content), e.word, mark+" "+e.word)
	saved, err := editorial.Save(f.t.Context(), f.pool, editorial.System, editorial.Edit{ItemID: id, Content: json.RawMessage(next), Base: item.LiveRevisionID})
	if err != nil {
		f.t.Fatal(err)
	}
	began := time.Now()
	if err := editorial.Publish(f.t.Context(), f.pool, editorial.System, saved.ChangeSetID, true); err != nil {
		f.t.Fatal(err)
	}
	published = time.Since(began)
	waitUntil(f.t, time.Minute, "the word is shown", func() bool { return strings.Contains(bodyOf(web.url+e.page+".md"), mark) })
	return published, time.Since(began)
}

// bodyOf is the body of a GET, empty when no answer came.
func bodyOf(url string) string {
	res, err := prober.Get(url) //nolint:noctx // bounded by the client
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body) //nolint:errcheck // a part does not have the word
	return string(body)
}
