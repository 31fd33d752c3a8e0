package editorial_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/editorial"
	"heliograph/db"
)

// world is the state of the documentation as plain rows, read apart from the
// package's own queries.
type world struct {
	Items    map[int64]worldItem
	Sets     map[int64]worldSet
	Changes  map[int64][]worldChange // by change set
	Reviews  map[int64][]worldReview // by change set, the oldest first
	Threads  map[int64]worldThread
	Releases map[int64]worldRelease
	Audit    int64 // the last entry
}

type worldItem struct {
	ID, Parent, Product, Live, Draft int64
	Kind, Slug                       string
	Archived, Trashed                bool
}

func (i worldItem) head() int64 {
	if i.Draft != 0 {
		return i.Draft
	}
	return i.Live
}

func (i worldItem) public() bool { return i.Live != 0 && !i.Archived && !i.Trashed }

// seen is what readers get of an item.
func (i worldItem) seen() worldItem {
	i.Draft = 0
	return i
}

type worldSet struct {
	ID, Product, Author int64
	State               string
	At                  time.Time
}

type worldChange struct {
	Set, Item, Revision, Parent int64
	Action, Slug                string
	Open                        bool
}

type worldReview struct {
	ID, Set, By int64
	Verdict     string
}

type worldThread struct {
	ID, Set, Item, Last int64 // Last: who commented last
	Resolved            bool
}

type worldRelease struct{ ID, Product, Scope, Number int64 }

// worldRevision is a revision, which never changes.
type worldRevision struct {
	ID, Item, Number, Author, Base, Restored int64
	Origin, Form, Content                    string
}

// archive keeps rows that never change.
type archive struct {
	revisions map[int64]worldRevision
	released  map[int64]map[int64]int64 // by release: the revision of each item
}

func newArchive() *archive {
	return &archive{map[int64]worldRevision{}, map[int64]map[int64]int64{}}
}

func collect[T any](ctx context.Context, q db.Querier, each func(T), sql string, args ...any) error {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[T])
	for _, row := range list {
		each(row)
	}
	return err
}

// read reads the world. Rows that never change are added to the archive.
func (a *archive) read(ctx context.Context, q db.Querier) (*world, error) {
	w := &world{Items: map[int64]worldItem{}, Sets: map[int64]worldSet{}, Changes: map[int64][]worldChange{}, Reviews: map[int64][]worldReview{},
		Threads: map[int64]worldThread{}, Releases: map[int64]worldRelease{}}
	err := collect(ctx, q, func(i worldItem) { w.Items[i.ID] = i }, `
		select i.id, coalesce(i.parent_id, 0), case when i.parent_id is null then i.id when p.parent_id is null then p.id else p.parent_id end,
			coalesce(i.live_revision_id, 0), coalesce(i.draft_revision_id, 0), i.kind, i.slug, i.archived_at is not null, i.trashed_at is not null
		from items i left join items p on p.id = i.parent_id`)
	if err == nil {
		err = collect(ctx, q, func(s worldSet) { w.Sets[s.ID] = s }, `select id, product_id, coalesce(author_id, 0), state, coalesce(scheduled_for, '0001-01-01 00:00:00+00') from change_sets`)
	}
	if err == nil {
		err = collect(ctx, q, func(c worldChange) { w.Changes[c.Set] = append(w.Changes[c.Set], c) }, `
			select change_set_id, item_id, revision_id, coalesce(parent_id, 0), action, coalesce(slug, ''), open from change_set_items order by item_id`)
	}
	if err == nil {
		err = collect(ctx, q, func(r worldReview) { w.Reviews[r.Set] = append(w.Reviews[r.Set], r) }, `select id, change_set_id, reviewer_id, verdict from reviews order by id`)
	}
	if err == nil {
		err = collect(ctx, q, func(t worldThread) { w.Threads[t.ID] = t }, `
			select id, change_set_id, item_id, (select c.author_id from review_comments c where c.thread_id = t.id order by c.id desc limit 1), resolved_at is not null from review_threads t`)
	}
	if err == nil {
		err = collect(ctx, q, func(r worldRelease) { w.Releases[r.ID] = r }, `select id, product_id, scope_id, number from releases`)
	}
	if err == nil {
		err = q.QueryRow(ctx, `select coalesce(max(seq), 0) from audit_entries`).Scan(&w.Audit)
	}
	if err == nil {
		err = a.keep(ctx, q)
	}
	return w, err
}

func (a *archive) keep(ctx context.Context, q db.Querier) error {
	known := slices.Collect(maps.Keys(a.revisions))
	last := int64(0)
	if len(known) > 0 {
		last = slices.Max(known) - 200 // some are numbered before they are committed
	}
	err := collect(ctx, q, func(r worldRevision) { a.revisions[r.ID] = r }, `
		select id, item_id, number, coalesce(author_id, 0), coalesce(base_id, 0), coalesce(restored_from_id, 0), coalesce(origin, ''), coalesce(form, ''), content::text
		from revisions where id > $1`, last)
	if err != nil {
		return err
	}
	last = 0
	if len(a.released) > 0 {
		last = slices.Max(slices.Collect(maps.Keys(a.released))) - 20
	}
	return collect(ctx, q, func(r struct{ Release, Item, Revision int64 }) {
		if a.released[r.Release] == nil {
			a.released[r.Release] = map[int64]int64{}
		}
		a.released[r.Release][r.Item] = r.Revision
	}, `select release_id, item_id, revision_id from release_items where release_id > $1`, last)
}

// open returns the open change set that holds an item.
func (w *world) open(item int64) (worldSet, worldChange, bool) {
	for set, changes := range w.Changes {
		for _, c := range changes {
			if c.Item == item && c.Open {
				return w.Sets[set], c, true
			}
		}
	}
	return worldSet{}, worldChange{}, false
}

// changed is what a change set does, to the letter.
func (a *archive) changed(w *world, set int64) string {
	var b strings.Builder
	for _, c := range w.Changes[set] {
		fmt.Fprintf(&b, "%d %s %s %d %x\n", c.Item, c.Action, c.Slug, c.Parent, sha256.Sum256([]byte(a.revisions[c.Revision].Content)))
	}
	return b.String()
}

// recorder is a database that notes the world that each transaction leaves. It commits
// one after the other.
type recorder struct {
	db.Beginner
	lock *sync.Mutex
	note func(q db.Querier) error
}

func (r recorder) Begin(ctx context.Context) (pgx.Tx, error) {
	tx, err := r.Beginner.Begin(ctx)
	return recorded{tx, r}, err
}

type recorded struct {
	pgx.Tx
	by recorder
}

func (r recorded) Commit(ctx context.Context) error {
	r.by.lock.Lock()
	defer r.by.lock.Unlock()
	if err := r.by.note(r.Tx); err != nil {
		return err
	}
	return r.Tx.Commit(ctx)
}

// conflicting reports whether three contents have a field that two sides changed in
// two ways.
func conflicting(base, theirs, mine string) bool {
	read := func(text string) map[string]json.RawMessage {
		var m map[string]json.RawMessage
		_ = json.Unmarshal([]byte(text), &m) // empty: nothing
		return m
	}
	b, t, m := read(base), read(theirs), read(mine)
	all := maps.Clone(b)
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	maps.Copy(all, t)
	maps.Copy(all, m)
	for name := range all {
		if !bytes.Equal(t[name], m[name]) && !bytes.Equal(m[name], b[name]) && !bytes.Equal(t[name], b[name]) {
			return true
		}
	}
	return false
}

// isPerson reports whether an actor is not the program.
func isPerson(a editorial.Actor) bool { return a.ID != 0 }
