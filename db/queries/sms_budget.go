package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

// smsBudgetRow is a day's budget, and how many SMS wait that it will be charged
// for.
type smsBudgetRow struct {
	models.SMSBudget
	Waiting int
}

// SMSBudgetGet returns what was used on a day and how many SMS wait that will
// be charged.
func SMSBudgetGet(ctx context.Context, q db.Querier, day time.Time) (b models.SMSBudget, waiting int, err error) {
	row, err := one[smsBudgetRow](ctx, q, `
		select coalesce(b.used, 0) as used, b.warned_at, b.alerted_at,
		       (select count(*) from notifications where kind = 'sms' and state = 'queued' and not charged and expires_at > now()) as waiting
		from (select $1::date as day) d left join sms_budgets b using (day)`, day)
	return row.SMSBudget, row.Waiting, err
}

// SMSBudgetTake takes one SMS of a day's budget and returns the day as it is
// then. No row says that nothing is left.
func SMSBudgetTake(ctx context.Context, q db.Querier, day time.Time, budget int) (models.SMSBudget, error) {
	return one[models.SMSBudget](ctx, q, `
		insert into sms_budgets as b (day, used) select $1::date, 1 where $2 > 0
		on conflict (day) do update set used = b.used + 1 where b.used < $2
		returning used, warned_at, alerted_at`, day, budget)
}

// SMSBudgetUpdateWarned notes that administrators were notified that little is left.
func SMSBudgetUpdateWarned(ctx context.Context, q db.Querier, day time.Time) error {
	_, err := q.Exec(ctx, `update sms_budgets set warned_at = now() where day = $1::date`, day)
	return err
}

// SMSBudgetUpdateAlerted notes that administrators were notified that nothing is left.
func SMSBudgetUpdateAlerted(ctx context.Context, q db.Querier, day time.Time) error {
	_, err := q.Exec(ctx, `update sms_budgets set alerted_at = now() where day = $1::date`, day)
	return err
}
