package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

// NumberNoticeClaim marks numbers that have had no carrier since they were added
// before a time, at most 500, and returns those that were not marked yet, by
// organisation. It removes the marks of numbers that have a carrier again.
func NumberNoticeClaim(ctx context.Context, q db.Querier, before time.Time) ([]models.PhoneNumber, error) {
	_, err := q.Exec(ctx, `
		delete from number_notices n where not exists (select `+queries.StrandedNumbers+` and p.id = n.phone_number_id)`)
	if err != nil {
		return nil, err
	}
	return collect.ManyLax[models.PhoneNumber](ctx, q, `
		with told as (
			insert into number_notices (phone_number_id)
			select p.id `+queries.StrandedNumbers+` and p.created_at < $1 and not exists (select from number_notices where phone_number_id = p.id)
			limit 500 on conflict do nothing returning phone_number_id
		)
		select p.id, p.organisation_id, p.number from told join phone_numbers p on p.id = told.phone_number_id
		order by p.organisation_id, p.created_at, p.id`, before)
}
