package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

// strandedNumbers selects the numbers p of active organisations o that send for
// real and have no carrier.
const strandedNumbers = `
	from phone_numbers p join organisations o on o.id = p.organisation_id
	where p.removed_at is null and not o.sandbox and o.status <> 'suspended' and not exists (
		select from carrier_routes r join carriers c on c.id = r.carrier_id
		where r.channel = 'messaging' and r.sender in ('', p.id::text) and r.organisation_id in (0, o.id) and c.disabled_at is null)`

// NumberNoticeClaim marks numbers that have had no carrier since they were added
// before a time, at most 500, and returns those that were not marked yet, by
// organisation. It removes the marks of numbers that have a carrier again.
func NumberNoticeClaim(ctx context.Context, q db.Querier, before time.Time) ([]models.PhoneNumber, error) {
	_, err := q.Exec(ctx, `
		delete from number_notices n where not exists (select `+strandedNumbers+` and p.id = n.phone_number_id)`)
	if err != nil {
		return nil, err
	}
	return manyLax[models.PhoneNumber](ctx, q, `
		with told as (
			insert into number_notices (phone_number_id)
			select p.id `+strandedNumbers+` and p.created_at < $1 and not exists (select from number_notices where phone_number_id = p.id)
			limit 500 on conflict do nothing returning phone_number_id
		)
		select p.id, p.organisation_id, p.number from told join phone_numbers p on p.id = told.phone_number_id
		order by p.organisation_id, p.created_at, p.id`, before)
}
