package writes

import (
	"cmp"
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	queries "heliograph/db/queries/documentation"
)

// SearchRowClear drops what readers can find in a scope.
func SearchRowClear(ctx context.Context, q db.Querier, scopeID int64) error {
	batch := &pgx.Batch{}
	batch.Queue(`delete from search_rows where scope_id = $1`, scopeID)
	batch.Queue(`delete from search_names where scope_id = $1`, scopeID)
	batch.Queue(`delete from search_words where scope_id = $1`, scopeID)
	return q.SendBatch(ctx, batch).Close()
}

// SearchRowReplace makes rows what readers can find in a scope. It writes those
// that are not there yet and drops those that are there no more: what says the
// same stays. It returns how many were written or dropped.
func SearchRowReplace(ctx context.Context, q db.Querier, scopeID int64, list []models.SearchRow) (changed int, err error) {
	rows, err := q.Query(ctx, `select id, coalesce(digest, '') from search_rows where scope_id = $1`, scopeID)
	if err != nil {
		return 0, err
	}
	there := map[string][]int64{}
	var id int64
	var digest []byte
	_, err = pgx.ForEachRow(rows, []any{&id, &digest}, func() error {
		there[string(digest)] = append(there[string(digest)], id)
		return nil
	})
	if err != nil {
		return 0, err
	}
	var missing []models.SearchRow
	var digests [][]byte
	for _, r := range list {
		sum := queries.SearchRowDigest(r)
		if ids := there[string(sum)]; len(ids) > 0 {
			there[string(sum)] = ids[1:]
			continue
		}
		missing, digests = append(missing, r), append(digests, sum)
	}
	var gone []int64
	for _, ids := range there {
		gone = append(gone, ids...)
	}
	if err := searchRowDelete(ctx, q, gone); err != nil {
		return 0, err
	}
	if len(missing) > 0 {
		err = searchRowLoad(ctx, q, scopeID, missing, digests)
	}
	return len(gone) + len(missing), err
}

// SearchRowExchange drops rows of a scope and writes others. It does nothing
// and reports false when one that is to go is not there exactly once.
func SearchRowExchange(ctx context.Context, q db.Querier, scopeID int64, gone, added []models.SearchRow) (bool, error) {
	var items []int64
	digests := make([][]byte, len(gone))
	for i, r := range gone {
		items, digests[i] = append(items, r.ItemID), queries.SearchRowDigest(r)
	}
	ids, err := collect.Values[int64](ctx, q, `select id from search_rows where scope_id = $1 and item_id = any($2) and digest = any($3)`, scopeID, items, digests)
	if err != nil || len(ids) != len(gone) {
		return false, err
	}
	if err := searchRowDelete(ctx, q, ids); err != nil {
		return false, err
	}
	if len(added) == 0 {
		return true, nil
	}
	sums := make([][]byte, len(added))
	for i, r := range added {
		sums[i] = queries.SearchRowDigest(r)
	}
	return true, searchRowLoad(ctx, q, scopeID, added, sums)
}

// SearchWordExchange counts the words of rows that went and came.
func SearchWordExchange(ctx context.Context, q db.Querier, scopeID int64, gone, added []models.SearchWord) error {
	change := map[string]int32{}
	for _, w := range gone {
		change[w.Word] -= int32(w.Rows) //nolint:gosec // counted rows of one version
	}
	for _, w := range added {
		change[w.Word] += int32(w.Rows) //nolint:gosec // counted rows of one version
	}
	var words []string
	var counts []int32
	for word, n := range change {
		if n != 0 {
			words, counts = append(words, word), append(counts, n)
		}
	}
	batch := &pgx.Batch{}
	batch.Queue(`
		delete from search_words w using unnest($2::text[], $3::int[]) as n (word, rows) where w.scope_id = $1 and w.word = n.word and w.rows + n.rows <= 0`, scopeID, words, counts)
	batch.Queue(`
		update search_words w set rows = w.rows + n.rows from unnest($2::text[], $3::int[]) as n (word, rows)
		where w.scope_id = $1 and w.word = n.word and n.rows < 0`, scopeID, words, counts)
	batch.Queue(`
		insert into search_words (scope_id, word, rows) select $1, word, rows from unnest($2::text[], $3::int[]) as n (word, rows) where rows > 0
		on conflict (word, scope_id) do update set rows = search_words.rows + excluded.rows`, scopeID, words, counts)
	return q.SendBatch(ctx, batch).Close()
}

func searchRowDelete(ctx context.Context, q db.Querier, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	batch.Queue(`delete from search_names where id = any($1)`, ids)
	batch.Queue(`delete from search_rows where id = any($1)`, ids)
	return q.SendBatch(ctx, batch).Close()
}

var searchLoadColumns = []string{"place", "scope_id", "item_id", "kind", "product", "version", "method", "title", "path", "url", "breadcrumb", "body", "deprecated",
	"weight", "names", "others", "words", "context", "size", "key", "alias", "shape", "digest", "headings", "texts", "fields", "whole", "form", "searched_as"}

func searchRowLoad(ctx context.Context, q db.Querier, scopeID int64, list []models.SearchRow, digests [][]byte) error {
	_, err := q.CopyFrom(ctx, pgx.Identifier{"search_loads"}, searchLoadColumns, pgx.CopyFromSlice(len(list), func(i int) ([]any, error) {
		r := list[i]
		page := cmp.Or(r.Page, &models.SearchPage{})
		return []any{i, scopeID, r.ItemID, r.Kind, r.Product, r.Version, r.Method, r.Title, r.Path, r.URL, r.Breadcrumb, r.Body, r.Deprecated,
			r.Weight, r.Names, r.Others, r.Text, r.Context, r.Size, r.Key, r.Alias, r.Shape, digests[i],
			page.Headings, page.Text, page.Fields, r.Page != nil, queries.SearchForm, append([]string{}, r.SearchedAs...)}, nil
	}))
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(`
		with loaded as materialized (
			select nextval(pg_get_serial_sequence('search_rows', 'id')) as id, l.* from (select * from search_loads where scope_id = $1 order by place) l
		), vectors as materialized (
			select *, to_tsvector('docs', names) as name_vector,
				setweight(to_tsvector('docs', names), 'A') || setweight(to_tsvector('docs', others), 'B') as near_vector, setweight(to_tsvector('docs', context), 'D') as context_vector
			from loaded
		), written as (
			insert into search_rows (id, scope_id, item_id, kind, product, version, method, title, path, url, breadcrumb, body, deprecated, weight, terms, digest, form, searched_as, page)
			overriding system value
			select id, scope_id, item_id, kind, product, version, method, title, path, url, breadcrumb, body, deprecated, weight,
				near_vector || setweight(to_tsvector('docs', words), 'C') || context_vector, digest, form, searched_as,
				case when whole then setweight(name_vector, 'A') || setweight(to_tsvector('docs', headings), 'B')
					|| setweight(to_tsvector('docs', texts), 'C') || setweight(to_tsvector('docs', fields), 'D') end
			from vectors order by place
		)
		insert into search_names (id, scope_id, kind, product, version, method, weight, size, key, alias, shape, words, near)
		select id, scope_id, kind, product, version, method, weight, size, key, alias, shape, name_vector, near_vector || context_vector from vectors order by place`, scopeID)
	batch.Queue(`delete from search_loads where scope_id = $1`, scopeID)
	// What was written would otherwise be read from end to end by every search
	// until the next vacuum.
	batch.Queue(`
		select gin_clean_pending_list(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
		where a.amname = 'gin' and i.indrelid in ('search_rows'::regclass, 'search_names'::regclass)`)
	return q.SendBatch(ctx, batch).Close()
}

// SearchWordReplace makes words the words of a scope.
func SearchWordReplace(ctx context.Context, q db.Querier, scopeID int64, list []models.SearchWord) error {
	words, counts := make([]string, len(list)), make([]int32, len(list))
	for i, w := range list {
		words[i], counts[i] = w.Word, int32(w.Rows) //nolint:gosec // counted rows of one version
	}
	batch := &pgx.Batch{}
	batch.Queue(`delete from search_words where scope_id = $1 and word <> all($2)`, scopeID, words)
	batch.Queue(`
		insert into search_words (scope_id, word, rows) select $1, word, rows from unnest($2::text[], $3::int[]) as n (word, rows)
		on conflict (word, scope_id) do update set rows = excluded.rows where search_words.rows <> excluded.rows`, scopeID, words, counts)
	return q.SendBatch(ctx, batch).Close()
}
