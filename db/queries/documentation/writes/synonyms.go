package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// SynonymInsert adds a synonym and returns the id. One that is there already
// is a unique violation of search_synonyms_term_means_key.
func SynonymInsert(ctx context.Context, q db.Querier, s models.Synonym) (id int64, err error) {
	return collect.Value[int64](ctx, q, `insert into search_synonyms (term, means) values ($1, $2) returning id`, s.Term, s.Means)
}

// SynonymFill adds synonyms to a database that has none.
func SynonymFill(ctx context.Context, q db.Querier, terms, means []string) error {
	return collect.Execute(ctx, q, `
		insert into search_synonyms (term, means) select * from unnest($1::text[], $2::text[])
		where not exists (select from search_synonyms) on conflict do nothing`, terms, means)
}

// SynonymDelete removes a synonym and returns what it was.
func SynonymDelete(ctx context.Context, q db.Querier, id int64) (models.Synonym, error) {
	return collect.One[models.Synonym](ctx, q, `delete from search_synonyms where id = $1 returning term, means`, id)
}
