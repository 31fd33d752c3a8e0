package queries

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// SynonymEntryList returns the synonyms that have a text in either part, all
// for an empty one, by term.
func SynonymEntryList(ctx context.Context, q db.Querier, text string) ([]models.SynonymEntry, error) {
	rows, err := q.Query(ctx, `
		select id, term, means from search_synonyms
		where $1 = '' or strpos(term, lower($1)) > 0 or strpos(means, lower($1)) > 0 order by term, means limit 2000`, text)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[models.SynonymEntry])
}

// SynonymInsert adds a synonym and returns the id. One that is there already
// is a unique violation of search_synonyms_term_means_key.
func SynonymInsert(ctx context.Context, q db.Querier, s models.Synonym) (id int64, err error) {
	err = q.QueryRow(ctx, `insert into search_synonyms (term, means) values ($1, $2) returning id`, s.Term, s.Means).Scan(&id)
	return id, err
}

// SynonymDelete removes a synonym and returns what it was.
func SynonymDelete(ctx context.Context, q db.Querier, id int64) (s models.Synonym, err error) {
	err = q.QueryRow(ctx, `delete from search_synonyms where id = $1 returning term, means`, id).Scan(&s.Term, &s.Means)
	return s, err
}
