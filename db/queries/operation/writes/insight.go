package writes

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
)

// InsightBatchInsert records that a batch of counts is written in this transaction, and
// reports whether it is for the first time.
func InsightBatchInsert(ctx context.Context, q db.Querier, id [16]byte) (fresh bool, err error) {
	return collect.Changed(ctx, q, `insert into insight_batches (id) values ($1) on conflict do nothing`, id)
}

// InsightViewAdd adds views to those that are counted. The rows are sorted by their key.
func InsightViewAdd(ctx context.Context, q db.Querier, rows []models.InsightView) error {
	n := len(rows)
	grains, starts, pages, readers := make([]string, n), make([]time.Time, n), make([]string, n), make([]string, n)
	kinds, products, versions, counts := make([]string, n), make([]string, n), make([]string, n), make([]int64, n)
	for i, r := range rows {
		grains[i], starts[i], pages[i], readers[i] = r.Grain, r.Start, r.Page, r.Reader
		kinds[i], products[i], versions[i], counts[i] = r.Kind, r.Product, r.Version, r.Count
	}
	return collect.Execute(ctx, q, `
		insert into insight_views (grain, start, page, reader, kind, product, version, count)
		select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
		on conflict (grain, start, page, reader) do update
		set count = insight_views.count + excluded.count, kind = excluded.kind, product = excluded.product, version = excluded.version`,
		grains, starts, pages, readers, kinds, products, versions, counts)
}

// InsightTotalAdd adds sums of views. The rows are sorted by their key.
func InsightTotalAdd(ctx context.Context, q db.Querier, rows []models.InsightTotal) error {
	n := len(rows)
	grains, starts, products := make([]string, n), make([]time.Time, n), make([]string, n)
	kinds, readers, counts := make([]string, n), make([]string, n), make([]int64, n)
	for i, r := range rows {
		grains[i], starts[i], products[i], kinds[i], readers[i], counts[i] = r.Grain, r.Start, r.Product, r.Kind, r.Reader, r.Count
	}
	return collect.Execute(ctx, q, `
		insert into insight_totals (grain, start, product, kind, reader, count)
		select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::bigint[])
		on conflict (grain, start, product, kind, reader) do update set count = insight_totals.count + excluded.count`,
		grains, starts, products, kinds, readers, counts)
}

// InsightDayAdd adds counts of days. The rows are sorted by their key.
func InsightDayAdd(ctx context.Context, q db.Querier, rows []models.InsightDay) error {
	n := len(rows)
	whats, days, products, versions := make([]string, n), make([]time.Time, n), make([]string, n), make([]string, n)
	names, details, counts := make([]string, n), make([]string, n), make([]int64, n)
	for i, r := range rows {
		whats[i], days[i], products[i], versions[i] = r.What, r.Day, r.Product, r.Version
		names[i], details[i], counts[i] = r.Name, r.Detail, r.Count
	}
	return collect.Execute(ctx, q, `
		insert into insight_days (what, day, product, version, name, detail, count)
		select * from unnest($1::text[], $2::date[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
		on conflict (what, day, product, version, name, detail) do update set count = insight_days.count + excluded.count`,
		whats, days, products, versions, names, details, counts)
}

// InsightMonthInsert adds up the whole months of days between two dates.
func InsightMonthInsert(ctx context.Context, q db.Querier, from, until time.Time) error {
	return collect.Execute(ctx, q, `
		insert into insight_months (what, month, product, version, name, detail, count)
		select what, date_trunc('month', day)::date, product, version, name, detail, sum(count) from insight_days
		where day >= $1 and day < $2 group by 1, 2, 3, 4, 5, 6 on conflict do nothing`, from, until)
}

// InsightThumbReplace counts the answers of readers again from a day on.
func InsightThumbReplace(ctx context.Context, tx pgx.Tx, from time.Time, zone string) error {
	if _, err := tx.Exec(ctx, `delete from insight_days where what = 'thumb' and day >= $1`, from); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `
		insert into insight_days (what, day, product, version, name, detail, count)
		select 'thumb', (created_at at time zone $2::text)::date, split_part(page, '/', 3), case when page like '/docs/%' then split_part(page, '/', 4) else '' end,
		       page, case when helpful then 'yes' else 'no' end, count(*)
		from feedback where created_at >= ($1::date)::timestamp at time zone $2::text
		group by 2, 3, 4, 5, 6`, from, zone)
	return err
}

// InsightEnquiryReplace counts the enquiries again from a day on.
func InsightEnquiryReplace(ctx context.Context, tx pgx.Tx, from time.Time, zone string) error {
	if _, err := tx.Exec(ctx, `delete from insight_days where what = 'enquiry' and day >= $1`, from); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `
		insert into insight_days (what, day, product, version, name, detail, count)
		select 'enquiry', (created_at at time zone $2::text)::date, '', '', case when status in ('spam', 'unconfirmed') then status else 'received' end, '', count(*)
		from contact_enquiries where created_at >= ($1::date)::timestamp at time zone $2::text
		group by 2, 5`, from, zone)
	return err
}

// InsightFailureReplace counts the messages that failed again that were accepted from a
// day on.
func InsightFailureReplace(ctx context.Context, tx pgx.Tx, from time.Time, zone *time.Location) error {
	if _, err := tx.Exec(ctx, `delete from insight_days where what = 'failure' and day >= $1`, from); err != nil {
		return err
	}
	y, m, d := from.Date()
	start := time.Date(y, m, d, 0, 0, 0, 0, zone)
	_, err := tx.Exec(ctx, `
		insert into insight_days (what, day, product, version, name, detail, count)
		select 'failure', (m.created_at at time zone $3::text)::date, '', '', m.channel, left(coalesce(f.code, ''), 20), count(*)
		from messages m left join lateral (
			select e.failure ->> 'code' as code from message_events e where e.message_id = m.id and e.failure is not null limit 1
		) f on true
		where m.id >= $1 and m.created_at >= $2 and m.state in `+parts.FailingStates+`
		group by 2, 5, 6`, models.FirstMessageID(start.Add(-time.Minute)), start, zone.String())
	return err
}

// InsightStepUpdate records the first steps of organisations that they took since it was
// last called.
func InsightStepUpdate(ctx context.Context, tx pgx.Tx) error {
	for _, sql := range []string{`
		insert into insight_steps (organisation_id, registered_at, verified_at) select id, created_at, verified_at from organisations
		on conflict (organisation_id) do update set verified_at = excluded.verified_at where insight_steps.verified_at is null and excluded.verified_at is not null`, `
		update insight_steps s set key_at = k.at
		from (select organisation_id, min(created_at) as at from api_keys group by organisation_id) k
		where s.organisation_id = k.organisation_id and s.key_at is null`, `
		update insight_steps s set message_at = f.created_at
		from insight_steps o cross join lateral (select created_at from messages m where m.organisation_id = o.organisation_id order by m.id limit 1) f
		where o.message_at is null and s.organisation_id = o.organisation_id`, `
		update insight_steps s set callback_at = f.finished_at
		from insight_steps o cross join lateral (
			select d.finished_at from deliveries d where d.organisation_id = o.organisation_id and d.state = 'delivered' order by d.created_at, d.id limit 1
		) f
		where o.callback_at is null and o.message_at is not null and s.organisation_id = o.organisation_id`,
	} {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// InsightSourceFold adds up the hosts of each day of a range that are not among its
// largest.
func InsightSourceFold(ctx context.Context, q db.Querier, from, until time.Time, keep int) error {
	return collect.Execute(ctx, q, `
		with kept as (
			select day, name from (
				select day, name, row_number() over (partition by day order by sum(count) desc, name) as rank
				from insight_days where what = 'source' and day >= $1 and day < $2 and name not in ('', 'other') group by day, name
			) ranked where rank <= $3
		), gone as (
			delete from insight_days d where d.what = 'source' and d.day >= $1 and d.day < $2 and d.name not in ('', 'other')
			and not exists (select from kept k where k.day = d.day and k.name = d.name)
			returning d.day, d.product, d.version, d.count
		)
		insert into insight_days (what, day, product, version, name, detail, count)
		select 'source', day, product, version, 'other', '', sum(count) from gone group by day, product, version
		on conflict (what, day, product, version, name, detail) do update set count = insight_days.count + excluded.count`, from, until, keep)
}

// InsightDelete deletes counts of hours, days and months that began before the times,
// and the batches before the last.
func InsightDelete(ctx context.Context, q db.Querier, hours, days, months, batches time.Time) error {
	for _, table := range []string{"insight_views", "insight_totals"} {
		_, err := q.Exec(ctx, `
			delete from `+table+` where grain = 'hour' and start < $1 or grain = 'day' and start < $2 or grain = 'month' and start < $3`, hours, days, months)
		if err != nil {
			return err
		}
	}
	if _, err := q.Exec(ctx, `delete from insight_days where day < $1`, days); err != nil {
		return err
	}
	if _, err := q.Exec(ctx, `delete from insight_months where month < $1`, months); err != nil {
		return err
	}
	return collect.Execute(ctx, q, `delete from insight_batches where written_at < $1`, batches)
}
