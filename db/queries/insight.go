package queries

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

// InsightBatchInsert records that a batch of counts is written in this transaction, and
// reports whether it is for the first time.
func InsightBatchInsert(ctx context.Context, q db.Querier, id [16]byte) (fresh bool, err error) {
	tag, err := q.Exec(ctx, `insert into insight_batches (id) values ($1) on conflict do nothing`, id)
	return tag.RowsAffected() == 1, err
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
	_, err := q.Exec(ctx, `
		insert into insight_views (grain, start, page, reader, kind, product, version, count)
		select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
		on conflict (grain, start, page, reader) do update
		set count = insight_views.count + excluded.count, kind = excluded.kind, product = excluded.product, version = excluded.version`,
		grains, starts, pages, readers, kinds, products, versions, counts)
	return err
}

// InsightTotalAdd adds sums of views. The rows are sorted by their key.
func InsightTotalAdd(ctx context.Context, q db.Querier, rows []models.InsightTotal) error {
	n := len(rows)
	grains, starts, products := make([]string, n), make([]time.Time, n), make([]string, n)
	kinds, readers, counts := make([]string, n), make([]string, n), make([]int64, n)
	for i, r := range rows {
		grains[i], starts[i], products[i], kinds[i], readers[i], counts[i] = r.Grain, r.Start, r.Product, r.Kind, r.Reader, r.Count
	}
	_, err := q.Exec(ctx, `
		insert into insight_totals (grain, start, product, kind, reader, count)
		select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::bigint[])
		on conflict (grain, start, product, kind, reader) do update set count = insight_totals.count + excluded.count`,
		grains, starts, products, kinds, readers, counts)
	return err
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
	_, err := q.Exec(ctx, `
		insert into insight_days (what, day, product, version, name, detail, count)
		select * from unnest($1::text[], $2::date[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
		on conflict (what, day, product, version, name, detail) do update set count = insight_days.count + excluded.count`,
		whats, days, products, versions, names, details, counts)
	return err
}

// InsightTotalList returns the views of a period and of the one before by hour, day or
// month, and reader.
func InsightTotalList(ctx context.Context, q db.Querier, f models.InsightFilter) ([]models.InsightTotal, error) {
	return manyLax[models.InsightTotal](ctx, q, `
		select start, reader, sum(count)::bigint as count from insight_totals
		where grain = $1 and start >= $2 and start < $3 and ($4::text[] is null or product = any($4)) and ($5::text[] is null or reader = any($5)) and ($6::text[] is null or kind = any($6))
		group by start, reader order by start, reader`, f.Grain, f.Before, f.Until, f.Products, f.Readers, f.Kinds)
}

// InsightPageTotalList is InsightTotalList for one page.
func InsightPageTotalList(ctx context.Context, q db.Querier, f models.InsightFilter) ([]models.InsightTotal, error) {
	return manyLax[models.InsightTotal](ctx, q, `
		select start, reader, sum(count)::bigint as count from insight_views
		where page = $4 and grain = $1 and start >= $2 and start < $3 and ($5::text[] is null or product = any($5)) and ($6::text[] is null or reader = any($6))
		group by start, reader order by start, reader`, f.Grain, f.Before, f.Until, f.Page, f.Products, f.Readers)
}

// insightViewWhere chooses views by product, reader and kind.
const insightViewWhere = ` and ($4::text[] is null or product = any($4)) and ($5::text[] is null or reader = any($5)) and ($6::text[] is null or kind = any($6))`

// InsightPageList returns the pages that were read most in a period, with what they were
// read in the period before. Whole months are read by month, and what is around them by
// the grain of the filter.
func InsightPageList(ctx context.Context, q db.Querier, f models.InsightFilter, limit int) ([]models.InsightView, error) {
	months, before := f.Months.Or(f.Until), f.MonthsBefore.Or(f.From)
	return manyLax[models.InsightView](ctx, q, `
		with top as (
			select page, sum(count)::bigint as count,
			       coalesce(sum(count) filter (where reader = 'person'), 0)::bigint as person_count,
			       coalesce(sum(count) filter (where reader = 'ai'), 0)::bigint as program_count
			from (
				select page, reader, count from insight_views where grain = $1 and start >= $2 and start < $9`+insightViewWhere+`
				union all
				select page, reader, count from insight_views where grain = 'month' and start >= $9 and start < $10`+insightViewWhere+`
				union all
				select page, reader, count from insight_views where grain = $1 and start >= $10 and start < $3`+insightViewWhere+`
			) counted
			group by page order by count desc, page limit $8
		)
		select top.*, coalesce(named.kind, '') as kind, coalesce(named.product, '') as product, coalesce(named.version, '') as version, coalesce(b.count, 0)::bigint as earlier_count
		from top left join lateral (
			select v.kind, v.product, v.version from insight_views v where v.page = top.page and v.grain = $1 and v.start >= $2 and v.start < $3 order by v.start desc limit 1
		) named on true left join lateral (
			select sum(count) as count from (
				select v.count from insight_views v where v.page = top.page and v.grain = $1 and v.start >= $7 and v.start < $11 and ($5::text[] is null or v.reader = any($5))
				union all
				select v.count from insight_views v where v.page = top.page and v.grain = 'month' and v.start >= $11 and v.start < $12 and ($5::text[] is null or v.reader = any($5))
				union all
				select v.count from insight_views v where v.page = top.page and v.grain = $1 and v.start >= $12 and v.start < $2 and ($5::text[] is null or v.reader = any($5))
			) earlier
		) b on true
		order by top.count desc, page`,
		f.Grain, f.From, f.Until, f.Products, f.Readers, f.Kinds, f.Before, limit, months.From, months.Until, before.From, before.Until)
}

// InsightGroup says by which columns counts of days are summed up, besides what is
// counted.
type InsightGroup struct{ Day, Product, Name, Detail bool }

// insightDayColumns are what is summed up of a day, and insightDayWhere chooses it.
const (
	insightDayColumns = `what, day, product, version, name, detail, count`
	insightDayWhere   = ` from insight_days where what = any($1) and ($5::text[] is null or product = any($5))`
	insightMonthsOf   = `select what, month, product, version, name, detail, count from insight_months where what = any($1) and ($5::text[] is null or product = any($5))`
)

// InsightDayList sums up counts of days, in a period and in the one before, the largest
// first. Months that are added up already are read by month.
func InsightDayList(ctx context.Context, q db.Querier, whats []string, f models.InsightFilter, by InsightGroup, limit int) ([]models.InsightDay, error) {
	months, before := f.MonthDays.Or(f.UntilDay), f.MonthDaysBefore.Or(f.FromDay)
	if by.Day {
		months, before = models.InsightMonths{From: f.UntilDay, Until: f.UntilDay}, models.InsightMonths{From: f.FromDay, Until: f.FromDay}
	} else if before.From.Before(before.Until) || months.From.Before(months.Until) {
		until, err := InsightMonthsUntil(ctx, q)
		if err != nil {
			return nil, err
		}
		months, before = months.To(until), before.To(until)
	}
	return many[models.InsightDay](ctx, q, `
		select what, case when $6 then day else '2000-01-01'::date end::timestamptz as day, case when $7 then product else '' end as product, case when $7 then version else '' end as version,
		       case when $8 then name else '' end as name, case when $9 then detail else '' end as detail,
		       coalesce(sum(count) filter (where day >= $2), 0)::bigint as count, coalesce(sum(count) filter (where day < $2), 0)::bigint as earlier_count
		from (
			select `+insightDayColumns+insightDayWhere+` and day >= $3 and day < $11
			union all `+insightMonthsOf+` and month >= $11 and month < $12
			union all select `+insightDayColumns+insightDayWhere+` and day >= $12 and day < $13
			union all `+insightMonthsOf+` and month >= $13 and month < $14
			union all select `+insightDayColumns+insightDayWhere+` and day >= $14 and day < $4
		) counted
		group by 1, 2, 3, 4, 5, 6 order by count desc, earlier_count desc, 1, 2, 3, 4, 5, 6 limit $10`,
		whats, f.FromDay, f.BeforeDay, f.UntilDay, f.Products, by.Day, by.Product, by.Name, by.Detail, limit, before.From, before.Until, months.From, months.Until)
}

// InsightMonthsUntil returns the end of the last month that is added up, the beginning of
// 2000 for none.
func InsightMonthsUntil(ctx context.Context, q db.Querier) (until time.Time, err error) {
	err = q.QueryRow(ctx, `select coalesce((max(month) + interval '1 month')::date, '2000-01-01'::date) from insight_months`).Scan(&until)
	return until, err
}

// InsightMonthInsert adds up the whole months of days between two dates.
func InsightMonthInsert(ctx context.Context, q db.Querier, from, until time.Time) error {
	_, err := q.Exec(ctx, `
		insert into insight_months (what, month, product, version, name, detail, count)
		select what, date_trunc('month', day)::date, product, version, name, detail, sum(count) from insight_days
		where day >= $1 and day < $2 group by 1, 2, 3, 4, 5, 6 on conflict do nothing`, from, until)
	return err
}

// InsightStepsGet counts the organisations that registered in a period by the steps that
// they took.
func InsightStepsGet(ctx context.Context, q db.Querier, from, until time.Time) (models.InsightSteps, error) {
	return one[models.InsightSteps](ctx, q, `
		select count(*) as registered, count(verified_at) as verified, count(key_at) as key, count(message_at) as message, count(callback_at) as callback,
		       percentile_cont(0.5) within group (order by extract(epoch from verified_at - registered_at)) as verified_seconds,
		       percentile_cont(0.5) within group (order by extract(epoch from key_at - coalesce(verified_at, registered_at))) as key_seconds,
		       percentile_cont(0.5) within group (order by extract(epoch from message_at - coalesce(key_at, registered_at))) as message_seconds,
		       percentile_cont(0.5) within group (order by extract(epoch from callback_at - coalesce(message_at, registered_at))) as callback_seconds
		from insight_steps where registered_at >= $1 and registered_at < $2`, from, until)
}

// InsightMessagesList sums up how messages ended that were accepted on the days of a
// period, by channel.
func InsightMessagesList(ctx context.Context, q db.Querier, f models.InsightFilter) ([]models.InsightMessages, error) {
	return many[models.InsightMessages](ctx, q, `
		select channel, sum(messages)::bigint as messages, sum(delivered)::bigint as delivered, sum(failed)::bigint as failed
		from usage_days where day >= $1 and day < $2 group by channel order by messages desc, channel`, f.FromDay, f.UntilDay)
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
		where m.id >= $1 and m.created_at >= $2 and m.state in `+failingStates+`
		group by 2, 5, 6`, firstMessageID(start.Add(-time.Minute)), start, zone.String())
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
	_, err := q.Exec(ctx, `
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
	return err
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
	_, err := q.Exec(ctx, `delete from insight_batches where written_at < $1`, batches)
	return err
}

// InsightProductList returns the slugs of the products that an administrator is assigned
// to.
func InsightProductList(ctx context.Context, q db.Querier, adminUserID int64) ([]string, error) {
	return values[string](ctx, q, `select i.slug from product_editors e join items i on i.id = e.product_id where e.admin_user_id = $1 order by i.slug`, adminUserID)
}
