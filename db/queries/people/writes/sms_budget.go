package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// SMSBudgetTake takes one SMS of a day's budget and returns the day as it is
// then. No row says that nothing is left.
func SMSBudgetTake(ctx context.Context, q db.Querier, day time.Time, budget int) (models.SMSBudget, error) {
	return collect.One[models.SMSBudget](ctx, q, `
		insert into sms_budgets as b (day, used) select $1::date, 1 where $2 > 0
		on conflict (day) do update set used = b.used + 1 where b.used < $2
		returning used, warned_at, alerted_at`, day, budget)
}

// SMSBudgetUpdateWarned notes that administrators were notified that little is left.
func SMSBudgetUpdateWarned(ctx context.Context, q db.Querier, day time.Time) error {
	return collect.Execute(ctx, q, `update sms_budgets set warned_at = now() where day = $1::date`, day)
}

// SMSBudgetUpdateAlerted notes that administrators were notified that nothing is left.
func SMSBudgetUpdateAlerted(ctx context.Context, q db.Querier, day time.Time) error {
	return collect.Execute(ctx, q, `update sms_budgets set alerted_at = now() where day = $1::date`, day)
}
