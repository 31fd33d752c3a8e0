package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// InsightTotalList returns the views of a period and of the one before by hour, day or
// month, and reader.
func InsightTotalList(ctx context.Context, q db.Querier, f models.InsightFilter) ([]models.InsightTotal, error) {
	return collect.ManyLax[models.InsightTotal](ctx, q, `
		select start, reader, sum(count)::bigint as count from insight_totals
		where grain = $1 and start >= $2 and start < $3 and ($4::text[] is null or product = any($4)) and ($5::text[] is null or reader = any($5)) and ($6::text[] is null or kind = any($6))
		group by start, reader order by start, reader`, f.Grain, f.Before, f.Until, f.Products, f.Readers, f.Kinds)
}

// InsightPageTotalList is InsightTotalList for one page.
func InsightPageTotalList(ctx context.Context, q db.Querier, f models.InsightFilter) ([]models.InsightTotal, error) {
	return collect.ManyLax[models.InsightTotal](ctx, q, `
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
	return collect.ManyLax[models.InsightView](ctx, q, `
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
	return collect.Many[models.InsightDay](ctx, q, `
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
	return collect.Value[time.Time](ctx, q, `select coalesce((max(month) + interval '1 month')::date, '2000-01-01'::date) from insight_months`)
}

// InsightStepsGet counts the organisations that registered in a period by the steps that
// they took.
func InsightStepsGet(ctx context.Context, q db.Querier, from, until time.Time) (models.InsightSteps, error) {
	return collect.One[models.InsightSteps](ctx, q, `
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
	return collect.Many[models.InsightMessages](ctx, q, `
		select channel, sum(messages)::bigint as messages, sum(delivered)::bigint as delivered, sum(failed)::bigint as failed
		from usage_days where day >= $1 and day < $2 group by channel order by messages desc, channel`, f.FromDay, f.UntilDay)
}

// InsightProductList returns the slugs of the products that an administrator is assigned
// to.
func InsightProductList(ctx context.Context, q db.Querier, adminUserID int64) ([]string, error) {
	return collect.Values[string](ctx, q, `select i.slug from product_editors e join items i on i.id = e.product_id where e.admin_user_id = $1 order by i.slug`, adminUserID)
}
