package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// SearchWordList returns every word of the index.
func SearchWordList(ctx context.Context, q db.Querier) ([]models.SearchWord, error) {
	return many[models.SearchWord](ctx, q, `select word, sum(rows)::int as rows from search_words group by word`)
}

// SearchProductList returns the slugs of the products that readers can find.
func SearchProductList(ctx context.Context, q db.Querier) ([]string, error) {
	rows, err := q.Query(ctx, `select distinct product from search_rows where kind = 'product' order by product`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// searchFilter narrows every part of a search.
const searchFilter = ` and ($7 = '' or kind = $7) and ($8 = '' or product = $8) and ($9 = '' or version = $9) and ($10 = '' or method = $10)`

// SearchRowFind returns the best results of a query, best first. The way in
// which a row matches gives a number up to one, which is multiplied by the
// weight of the row: whole name or path, other name, begun name, part of a
// path, words of the name; and where those are few words of the name and around
// it, the same with synonyms, and words anywhere. What a row is worth by its
// kind counts less for a whole name that was written as one. However common a
// word is, no way looks at more than 200 rows, and no more than 100 are counted.
//
// Planning the statement takes longer than running it, and what is right for
// one query is right for all: it is planned once for each connection.
func SearchRowFind(ctx context.Context, q db.Querier, s models.SearchQuery) ([]models.SearchResult, error) {
	batch := &pgx.Batch{}
	batch.Queue(`select set_config('plan_cache_mode', 'force_generic_plan', true)`)
	batch.Queue(`
		with asked as materialized (
			select to_tsquery('docs', nullif($4, '')) as name, to_tsquery('docs', nullif($5, '')) as wide, to_tsquery('docs', nullif($6, '')) as text,
				to_tsquery('docs', nullif($15, '')) as near, to_tsquery('docs', nullif($16, '')) as either
		), named as materialized (
			(select id, kind, weight, 1::real as match from search_names where $1 <> '' and key = $1`+searchFilter+` order by key, weight desc limit 100)
			union all
			(select id, kind, weight, 0.97 from search_names where alias <> '' and $1 <> '' and alias = $1`+searchFilter+` order by alias, weight desc limit 100)
			union all
			(select id, kind, weight, 1 from search_names where shape <> '' and shape = any ($2)`+searchFilter+` limit 100)
			union all
			(select id, kind, weight, 0.6 + 0.3 * char_length($3) / char_length(shape)
				from search_names where shape <> '' and $3 <> '' and shape like $3`+searchFilter+` limit 100)
			union all
			(select id, kind, weight, case when $18 and kind = 'field' then 0.55 else 0.75 end + 0.2 * char_length($1) / char_length(key)
				from search_names where $1 <> '' and key > $1 and key < $14`+searchFilter+` limit 100)
			union all
			(select id, kind, weight, 0.5 + 0.25 * least(1, $11::real / size)
				from search_names where kind <> 'field' and words @@ (select name from asked)`+searchFilter+` limit 200)
			union all
			(select id, kind, weight, 0.5 + 0.25 * least(1, $11::real / size)
				from search_names where kind = 'field' and words @@ (select name from asked)`+searchFilter+` limit 100)
			union all
			(select id, kind, weight, 0.5 from search_names where kind = 'endpoint' and $1 = '' and $3 = '' and $6 = '' and $10 <> '' and method = $10`+searchFilter+`
				order by weight desc limit 100)
		), found as (
			select * from named
			union all
			(select id, kind, weight, 0.35 + 0.1 * least(1, $11::real / size)
				from search_names where kind <> 'field' and (select count(*) from named) < 8 and words @@ (select wide from asked)`+searchFilter+` limit 100)
			union all
			(select id, kind, weight, 0.35 + 0.1 * least(1, $11::real / size)
				from search_names where kind = 'field' and (select count(*) from named) < 8 and words @@ (select wide from asked)`+searchFilter+` limit 100)
			union all
			(select id, kind, weight, 0.3 + 0.25 * least(1, 1.645 * ts_rank('{0.25, 0, 0.7, 1}', near, (select either from asked))) + 0.1 * least(1, $11::real / size)
				from search_names where kind <> 'field' and (select count(*) from named where kind <> 'field') < 8 and near @@ (select near from asked)`+searchFilter+` limit 200)
			union all
			(select id, kind, weight, 0.3 + 0.25 * least(1, 1.645 * ts_rank('{0.25, 0, 0.7, 1}', near, (select either from asked))) + 0.1 * least(1, $11::real / size)
				from search_names where kind = 'field' and (select count(*) from named) < 8 and near @@ (select near from asked)`+searchFilter+` limit 100)
			union all
			(select id, kind, weight, 0.1 + 0.3 * least(1, 1.645 * ts_rank('{0.05, 0.4, 0.7, 1}', terms, (select either from asked)))
				from search_rows where (select count(*) from named) < 8 and terms @@ (select text from asked)`+searchFilter+` limit 100)
		), ranked as (
			select id, kind, max(match) * case when $17 and max(match) >= 0.97 then sqrt(weight) else weight end as score, count(*) over () as total
			from found group by id, kind, weight
		), placed as (
			select *, row_number() over (partition by kind order by score desc, id) as place from ranked
		), best as (
			select id, score, total from placed where place <= $12 order by score desc, id limit $13
		)
		select id, kind, product, version, method, title, path, url, breadcrumb, body, deprecated, score, least(total, 100) as total
		from best join search_rows using (id) order by score desc, id`,
		s.Key, s.Shapes, s.Like, s.Name, s.Wide, s.Text, s.Kind, s.Product, s.Version, s.Method, s.Size, s.PerKind, s.Limit, s.Key+"\U0010FFFF", s.Near, s.Either, s.Written, s.Complete)
	return collectResults(ctx, q, batch)
}

// collectResults sends a batch that sets how its second statement is planned, and
// returns what that finds.
func collectResults(ctx context.Context, q db.Querier, batch *pgx.Batch) ([]models.SearchResult, error) {
	results := q.SendBatch(ctx, batch)
	defer results.Close() //nolint:errcheck // what failed is known by then
	if _, err := results.Exec(); err != nil {
		return nil, err
	}
	rows, err := results.Query()
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByNameLax[models.SearchResult])
}

// SearchPageFind returns the pages that meet most of a query, with that part of
// the query as their score: by the worth of the words and by where they stand, in
// the title, a heading, the text or a field. Words of the query that stand together
// add to it. Guides are kept before others, which are many more. Guides that meet a
// part are looked at where fewer than 12 meet all, and other pages where fewer than 20
// pages do. No way of looking takes more than 360 rows.
func SearchPageFind(ctx context.Context, q db.Querier, s models.SearchPageQuery) ([]models.SearchResult, error) {
	const filter = ` and ($1 = '' or kind = $1) and ($2 = '' or product = $2) and ($3 = '' or version = $3) and ($4 = '' or method = $4)`
	batch := &pgx.Batch{}
	batch.Queue(`select set_config('plan_cache_mode', 'force_generic_plan', true)`)
	batch.Queue(`
		with ways as materialized (
			select place, worth, to_tsquery('docs', way) as way, to_tsquery('docs', word) as word
			from unnest($5::int[], $6::real[], $7::text[], $8::text[]) as w (place, worth, way, word)
		), phrases as materialized (
			select to_tsquery('docs', phrase) as phrase from unnest($9::text[]) as p (phrase)
		), guides as materialized (
			select id, kind, weight, page from search_rows where page is not null and kind = 'guide' and page @@ to_tsquery('docs', $10)`+filter+` limit 180
		), whole as materialized (
			select * from guides
			union all
			(select id, kind, weight, page from search_rows where not $13 and page is not null and kind <> 'guide' and page @@ to_tsquery('docs', $10)`+filter+` limit 180)
		), candidates as (
			select * from whole
			union all
			(select id, kind, weight, page from search_rows where not $13 and (select count(*) from guides) < 12 and page is not null and kind = 'guide'
				and $11 <> '' and page @@ to_tsquery('docs', nullif($11, ''))`+filter+` and id not in (select id from guides) limit 360)
			union all
			(select id, kind, weight, page from search_rows where not $13 and (select count(*) from whole) < 20 and page is not null and kind <> 'guide'
				and $11 <> '' and page @@ to_tsquery('docs', nullif($11, ''))`+filter+` and id not in (select id from whole) limit 360)
		), met as materialized (
			select c.id, c.weight, case when c.kind = 'guide' then 2 else 1 end as kept,
				(select sum(worth) from (
					select max(worth * least(1, 1.645 * ts_rank($14::real[], p.page, word))) as worth from ways where p.page @@ way group by place
				) m) + $15::real * (select count(*) from phrases where p.page @@ phrase) / greatest(1, cardinality($9::text[])) as score
			from candidates c
			cross join lateral (select setweight(c.page, 'A', '{}') as page offset 0) p -- a copy: read from where it is stored once
		), best as (
			select id, score from met where score is not null order by score * weight * kept desc, id limit $12
		)
		select id, kind, product, version, method, title, path, url, deprecated, weight, score
		from best join search_rows using (id) order by score * weight desc, id`,
		s.Kind, s.Product, s.Version, s.Method, s.Groups, s.Worths, s.Ways, s.Words, s.Phrases, s.All, s.Some, s.Limit, s.Guides, s.Places, s.Together)
	return collectResults(ctx, q, batch)
}

// SearchRowFill fills in the breadcrumbs and bodies of results that came without.
func SearchRowFill(ctx context.Context, q db.Querier, results []models.SearchResult) error {
	at := map[int64]*models.SearchResult{}
	var ids []int64
	for i := range results {
		if r := &results[i]; r.Breadcrumb == nil {
			at[r.ID], ids = r, append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := q.Query(ctx, `select id, breadcrumb, body from search_rows where id = any ($1)`, ids)
	if err != nil {
		return err
	}
	var filled models.SearchResult
	_, err = pgx.ForEachRow(rows, []any{&filled.ID, &filled.Breadcrumb, &filled.Body}, func() error {
		r := at[filled.ID]
		r.Breadcrumb, r.Body = filled.Breadcrumb, filled.Body
		filled.Breadcrumb = nil
		return nil
	})
	return err
}

// SynonymList returns every synonym.
func SynonymList(ctx context.Context, q db.Querier) ([]models.Synonym, error) {
	return many[models.Synonym](ctx, q, `select term, means from search_synonyms order by id`)
}

// SearchInsert notes searches by the length of each query and how many results
// it had.
func SearchInsert(ctx context.Context, q db.Querier, lengths, results []int32) error {
	_, err := q.Exec(ctx, `insert into searches (length, results) select * from unnest($1::int[], $2::int[])`, lengths, results)
	return err
}
