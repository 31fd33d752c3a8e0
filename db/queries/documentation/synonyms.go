package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// SynonymEntryList returns the synonyms that have a text in either part, all
// for an empty one, by term.
func SynonymEntryList(ctx context.Context, q db.Querier, text string) ([]models.SynonymEntry, error) {
	return collect.Many[models.SynonymEntry](ctx, q, `
		select id, term, means from search_synonyms
		where $1 = '' or strpos(term, lower($1)) > 0 or strpos(means, lower($1)) > 0 order by term, means limit 2000`, text)
}
