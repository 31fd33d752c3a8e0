package writes

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	queries "heliograph/db/queries/documentation"
)

// SearchPageFind returns the pages that meet most of a query, with that part of
// the query as their score: by the worth of the words and by where they stand, in
// the title, a heading, the text or a field. Words of the query that stand together
// add to it. Guides are kept before others, which are many more. Guides that meet a
// part are looked at where fewer than 12 meet all, and other pages where fewer than 20
// pages do. No way of looking takes more than 360 rows.
func SearchPageFind(ctx context.Context, q db.Querier, s models.SearchPageQuery) ([]models.SearchResult, error) {
	return queries.FindResults(ctx, q, `
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
	filter := queries.SearchFilter(s.Kind, s.Product, s.Version, s.Method)
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

// SearchInsert notes searches by the length of each query and how many results
// it had.
func SearchInsert(ctx context.Context, q db.Querier, lengths, results []int32) error {
	return collect.Execute(ctx, q, `insert into searches (length, results) select * from unnest($1::int[], $2::int[])`, lengths, results)
}
