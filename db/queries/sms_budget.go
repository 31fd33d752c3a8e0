package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
)

// SMSBudgetGet returns what was used on a day and how many SMS wait that will
// be charged.
func SMSBudgetGet(ctx context.Context, q db.Querier, day time.Time) (b models.SMSBudget, waiting int, err error) {
	err = q.QueryRow(ctx, `
		select coalesce(b.used, 0), b.warned_at, b.alerted_at, (select count(*) from notifications where kind = 'sms' and state = 'queued' and not charged and expires_at > now())
		from (select $1::date as day) d left join sms_budgets b using (day)`, day).
		Scan(&b.Used, &b.WarnedAt, &b.AlertedAt, &waiting)
	return b, waiting, err
}

// SMSBudgetTake takes one SMS of a day's budget and returns the day as it is
// then. No row says that nothing is left.
func SMSBudgetTake(ctx context.Context, q db.Querier, day time.Time, budget int) (b models.SMSBudget, err error) {
	err = q.QueryRow(ctx, `
		insert into sms_budgets as b (day, used) select $1::date, 1 where $2 > 0
		on conflict (day) do update set used = b.used + 1 where b.used < $2
		returning used, warned_at, alerted_at`, day, budget).Scan(&b.Used, &b.WarnedAt, &b.AlertedAt)
	return b, err
}

// SMSBudgetUpdateWarned notes that administrators were told that little is left.
func SMSBudgetUpdateWarned(ctx context.Context, q db.Querier, day time.Time) error {
	_, err := q.Exec(ctx, `update sms_budgets set warned_at = now() where day = $1::date`, day)
	return err
}

// SMSBudgetUpdateAlerted notes that administrators were told that nothing is left.
func SMSBudgetUpdateAlerted(ctx context.Context, q db.Querier, day time.Time) error {
	_, err := q.Exec(ctx, `update sms_budgets set alerted_at = now() where day = $1::date`, day)
	return err
}
