package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
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
	row, err := collect.One[smsBudgetRow](ctx, q, `
		select coalesce(b.used, 0) as used, b.warned_at, b.alerted_at,
		       (select count(*) from notifications where kind = 'sms' and state = 'queued' and not charged and expires_at > now()) as waiting
		from (select $1::date as day) d left join sms_budgets b using (day)`, day)
	return row.SMSBudget, row.Waiting, err
}
