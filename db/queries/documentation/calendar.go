package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// CountOverdue counts the change sets that should have been released.
const CountOverdue = `select count(*) from change_sets where state = 'scheduled' and scheduled_for < now() - interval '2 minutes'`

// CalendarSetList returns the change sets that are scheduled from a time until
// another, the overdue ones, and the ones with a release that was blocked.
func CalendarSetList(ctx context.Context, q db.Querier, from, until time.Time) ([]models.ChangeSetEntry, error) {
	return collect.Many[models.ChangeSetEntry](ctx, q, `
		select `+changeSetColumns+`, coalesce(r.content->>'name', p.slug) as product,
			(select count(*) from change_set_items c where c.change_set_id = s.id)::integer as items, 0 as threads
		`+changeSetTables+`join items p on p.id = s.product_id
		left join revisions r on r.id = coalesce(p.live_revision_id, p.draft_revision_id)
		where p.practice_of is null
			and (s.state = 'blocked' or s.state = 'scheduled' and (s.scheduled_for >= $1 and s.scheduled_for < $2 or s.scheduled_for < now()))
		order by s.scheduled_for nulls first, s.id`, from, until)
}

// CalendarDateList returns the dates of public versions in a range of days, as
// yyyy-mm-dd, the first included.
func CalendarDateList(ctx context.Context, q db.Querier, from, until string) ([]models.VersionDate, error) {
	return collect.Many[models.VersionDate](ctx, q, `
		select v.id, v.slug as version, p.id as product_id, coalesce(pr.content->>'name', p.slug) as product, d.event, d.day
		from items v join revisions r on r.id = v.live_revision_id join items p on p.id = v.parent_id
		left join revisions pr on pr.id = p.live_revision_id
		cross join lateral (values ('released', r.content->>'released_on'), ('deprecated', r.content->>'deprecated_on'),
			('sunset', r.content->>'sunset_on'), ('retired', r.content->>'retired_on')) as d (event, day)
		where v.kind = 'version' and v.practice_of is null and v.archived_at is null and v.trashed_at is null and d.day >= $1 and d.day < $2
		order by d.day, p.id, v.id, d.event`, from, until)
}
