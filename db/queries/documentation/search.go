package queries

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// SearchWordList returns every word of the index.
func SearchWordList(ctx context.Context, q db.Querier) ([]models.SearchWord, error) {
	return collect.Many[models.SearchWord](ctx, q, `select word, sum(rows)::int as rows from search_words group by word`)
}

// SearchProductList returns the slugs of the products that readers can find.
func SearchProductList(ctx context.Context, q db.Querier) ([]string, error) {
	return collect.Values[string](ctx, q, `select distinct product from search_rows where kind = 'product' order by product`)
}

// SearchRowFind returns the best results of a query, best first. The way in
// which a row matches gives a number up to one, which is multiplied by the
// weight of the row: whole name or path, other name, begun name, part of a
// path, words of the name; words of the name and around it, the same with
// synonyms, and words anywhere. What a row is worth by its kind counts less for a
// whole name that was written as one. However common a word is, no way looks at
// more than 200 rows, and no more than 100 are counted.
//
// Planning the statement takes longer than running it, and what is right for
// one query is right for all of its form: it is planned once for each connection.
func SearchRowFind(ctx context.Context, q db.Querier, s models.SearchQuery) ([]models.SearchResult, error) {
	ways := searchWays(s)
	if len(ways) == 0 {
		return nil, nil
	}
	return findResults(ctx, q, `
		with asked as materialized (
			select to_tsquery('docs', nullif(@name, '')) as name, to_tsquery('docs', nullif(@wide, '')) as wide, to_tsquery('docs', nullif(@text, '')) as text,
				to_tsquery('docs', nullif(@near, '')) as near, to_tsquery('docs', nullif(@either, '')) as either
		), found as (
			`+strings.Join(ways, `
			union all
			`)+`
		), ranked as (
			select id, kind, max(match) * case when @written and max(match) >= 0.97 then sqrt(weight) else weight end as score, count(*) over () as total
			from found group by id, kind, weight
		), placed as (
			select *, row_number() over (partition by kind order by score desc, id) as place from ranked
		), best as (
			select id, score, total from placed where place <= @per_kind order by score desc, id limit @limit
		)
		select id, kind, product, version, method, title, path, url, breadcrumb, body, deprecated, score, least(total, 100) as total
		from best join search_rows using (id) order by score desc, id`,
		pgx.NamedArgs{
			"key": s.Key, "beyond": s.Key + "\U0010FFFF", "shapes": s.Shapes, "like": s.Like,
			"name": s.Name, "wide": s.Wide, "near": s.Near, "text": s.Text, "either": s.Either, "size": s.Size,
			"kind": s.Kind, "product": s.Product, "version": s.Version, "method": s.Method,
			"written": s.Written, "complete": s.Complete, "per_kind": s.PerKind, "limit": s.Limit,
		})
}

// searchWays returns the ways in which rows can match a query, each a select.
func searchWays(s models.SearchQuery) []string {
	const (
		words  = `0.25 * least(1, @size::real / size)`
		part   = `0.1 * least(1, @size::real / size)`
		around = `0.3 + 0.25 * least(1, 1.645 * ts_rank('{0.25, 0, 0.7, 1}', near, (select either from asked))) + ` + part
	)
	filter := searchFilter(s.Kind, s.Product, s.Version, s.Method)
	var ways []string
	add := func(match, where, end string) {
		ways = append(ways, `(select id, kind, weight, (`+match+`)::real as match from search_names where `+where+filter+end+`)`)
	}
	if s.Key != "" {
		add(`1`, `key = @key`, ` order by key, weight desc limit 100`)
		add(`0.97`, `alias <> '' and alias = @key`, ` order by alias, weight desc limit 100`)
		add(`case when @complete and kind = 'field' then 0.55 else 0.75 end + 0.2 * char_length(@key) / char_length(key)`, `key > @key and key < @beyond`, ` limit 100`)
	}
	if len(s.Shapes) > 0 {
		add(`1`, `shape <> '' and shape = any (@shapes)`, ` limit 100`)
	}
	if s.Like != "" {
		add(`0.6 + 0.3 * char_length(@like) / char_length(shape)`, `shape <> '' and shape like @like`, ` limit 100`)
	}
	if s.Name != "" {
		add(`0.5 + `+words, `kind <> 'field' and words @@ (select name from asked)`, ` limit 200`)
		add(`0.5 + `+words, `kind = 'field' and words @@ (select name from asked)`, ` limit 100`)
	}
	if s.Wide != "" {
		add(`0.35 + `+part, `kind <> 'field' and words @@ (select wide from asked)`, ` limit 100`)
		add(`0.35 + `+part, `kind = 'field' and words @@ (select wide from asked)`, ` limit 100`)
	}
	if s.Near != "" {
		add(around, `kind <> 'field' and near @@ (select near from asked)`, ` limit 200`)
		add(around, `kind = 'field' and near @@ (select near from asked)`, ` limit 100`)
	}
	if s.Text != "" {
		ways = append(ways, `(select id, kind, weight, 0.1 + 0.3 * least(1, 1.645 * ts_rank('{0.05, 0.4, 0.7, 1}', terms, (select either from asked))) as match
			from search_rows where terms @@ (select text from asked)`+filter+` limit 100)`)
	}
	if len(ways) == 0 && s.Method != "" {
		add(`0.5`, `kind = 'endpoint' and method = @method`, ` order by weight desc limit 100`)
	}
	return ways
}

// SearchPageFind returns the pages that meet most of a query, with that part of
// the query as their score: by the worth of the words and by where they stand, in
// the title, a heading, the text or a field. Words of the query that stand together
// add to it. Guides are kept before others, which are many more. Guides that meet a
// part are looked at where fewer than 12 meet all, and other pages where fewer than 20
// pages do. No way of looking takes more than 360 rows.
func SearchPageFind(ctx context.Context, q db.Querier, s models.SearchPageQuery) ([]models.SearchResult, error) {
	return findResults(ctx, q, `
		with ways as materialized (
			select place, worth, to_tsquery('docs', way) as way, to_tsquery('docs', word) as word
			from unnest(@groups::int[], @worths::real[], @ways::text[], @words::text[]) as w (place, worth, way, word)
		), phrases as materialized (
			select to_tsquery('docs', phrase) as phrase from unnest(@phrases::text[]) as p (phrase)
		), `+searchPages(s)+`, met as materialized (
			select c.id, c.weight, case when c.kind = 'guide' then 2 else 1 end as kept,
				(select sum(worth) from (
					select max(worth * least(1, 1.645 * ts_rank(@places::real[], p.page, word))) as worth from ways where p.page @@ way group by place
				) m) + @together::real * (select count(*) from phrases where p.page @@ phrase) / greatest(1, cardinality(@phrases::text[])) as score
			from candidates c
			cross join lateral (select setweight(c.page, 'A', '{}') as page offset 0) p -- a copy: read from where it is stored once
		), best as (
			select id, score from met where score is not null order by score * weight * kept desc, id limit @limit
		)
		select id, kind, product, version, method, title, path, url, deprecated, weight, searched_as, score
		from best join search_rows using (id) order by score * weight desc, id`,
		pgx.NamedArgs{
			"all": s.All, "some": s.Some, "groups": s.Groups, "worths": s.Worths, "ways": s.Ways, "words": s.Words,
			"phrases": s.Phrases, "places": s.Places, "together": s.Together,
			"kind": s.Kind, "product": s.Product, "version": s.Version, "method": s.Method, "limit": s.Limit,
		})
}

// searchPages returns the tables of the candidates for a query of pages.
func searchPages(s models.SearchPageQuery) string {
	filter := searchFilter(s.Kind, s.Product, s.Version, s.Method)
	pages := func(where, limit string) string {
		return `(select id, kind, weight, page from search_rows where page is not null and ` + where + filter + limit + `)`
	}
	guides := pages(`kind = 'guide' and page @@ to_tsquery('docs', @all)`, ` limit 180`)
	if s.Guides {
		return `candidates as ` + guides
	}
	whole := `guides as materialized ` + guides + `, whole as materialized (
			select * from guides
			union all
			` + pages(`kind <> 'guide' and page @@ to_tsquery('docs', @all)`, ` limit 180`) + `
		)`
	if s.Some == "" {
		return whole + `, candidates as (select * from whole)`
	}
	return whole + `, candidates as (
			select * from whole
			union all
			` + pages(`kind = 'guide' and (select count(*) from guides) < 12 and page @@ to_tsquery('docs', @some) and id not in (select id from guides)`, ` limit 360`) + `
			union all
			` + pages(`kind <> 'guide' and (select count(*) from whole) < 20 and page @@ to_tsquery('docs', @some) and id not in (select id from whole)`, ` limit 360`) + `
		)`
}

// searchFilter returns the condition of every way of a search.
func searchFilter(kind, product, version, method string) string {
	var where string
	for _, each := range []struct{ value, condition string }{
		{kind, ` and kind = @kind`}, {product, ` and product = @product`}, {version, ` and version = @version`}, {method, ` and method = @method`},
	} {
		if each.value != "" {
			where += each.condition
		}
	}
	return where
}

// findResults returns what a statement finds that is planned once for each connection.
func findResults(ctx context.Context, q db.Querier, sql string, args pgx.NamedArgs) ([]models.SearchResult, error) {
	batch := &pgx.Batch{}
	batch.Queue(`select set_config('plan_cache_mode', 'force_generic_plan', true)`)
	batch.Queue(sql, args)
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
	return collect.Many[models.Synonym](ctx, q, `select term, means from search_synonyms order by id`)
}
