package notification

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
	"heliograph/views/email"
)

// Budget is the SMS budget of a day (UTC).
type Budget struct {
	Used    int // handed over, or about to be
	Waiting int // queued and not yet counted in Used
	Limit   int
}

// IsSpent reports whether the budget is used up.
func (b Budget) IsSpent() bool { return b.Used >= b.Limit }

// IsLow reports whether at most a fifth is left.
func (b Budget) IsLow() bool { return b.Used*5 >= b.Limit*4 }

// Budget returns today's budget.
func (s *Service) Budget(ctx context.Context, q db.Querier) (Budget, error) {
	v, err := s.Settings.SMS(ctx)
	if err != nil {
		return Budget{}, err
	}
	day, waiting, err := queries.SMSBudgetGet(ctx, q, today())
	if err != nil {
		return Budget{}, fmt.Errorf("reading the SMS budget: %w", err)
	}
	return Budget{Used: day.Used, Waiting: waiting, Limit: v.Budget}, nil
}

func today() time.Time { return time.Now().UTC().Truncate(24 * time.Hour) }

// chargeBudget takes one SMS from today's budget. If the budget is used up, it
// fails the message and returns false. Administrators are alerted when a fifth is
// left and when the last SMS is taken.
func (s *Service) chargeBudget(ctx context.Context, tx pgx.Tx, n models.Notification, v models.SMSSettings) (bool, error) {
	day, err := writes.SMSBudgetTake(ctx, tx, today(), v.Budget)
	if db.IsNoRows(err) {
		refused := models.NotificationAttempt{
			NotificationID: n.ID, StartedAt: time.Now(), Provider: "budget", Outcome: models.OutcomeRejected,
			Answer: fmt.Sprintf("The budget of %d SMS a day is used up.", v.Budget),
		}
		if err := writes.NotificationAttemptInsert(ctx, tx, refused); err != nil {
			return false, fmt.Errorf("storing an attempt at message %s: %w", n.ID, err)
		}
		return false, endUnsent(ctx, tx, n.ID, failed)
	}
	if err != nil {
		return false, fmt.Errorf("charging the SMS budget: %w", err)
	}
	if err := writes.NotificationUpdateCharged(ctx, tx, n.ID); err != nil {
		return false, fmt.Errorf("charging message %s: %w", n.ID, err)
	}
	switch spent := (Budget{Used: day.Used, Limit: v.Budget}); {
	case spent.IsSpent() && day.AlertedAt == nil:
		return true, s.alertSpent(ctx, tx, v)
	case spent.IsLow() && !spent.IsSpent() && day.WarnedAt == nil:
		return true, s.alertLow(ctx, tx, day.Used, v)
	}
	return true, nil
}

// alertSpent alerts administrators, once a day, that no more SMS are sent.
func (s *Service) alertSpent(ctx context.Context, tx pgx.Tx, v models.SMSSettings) error {
	err := s.Alert(ctx, tx, v, Email{
		Purpose: "budget", ExpiresAt: today().Add(24 * time.Hour),
		Message: email.BudgetSpent(today(), v.Budget),
	})
	if err != nil {
		return err
	}
	if err := writes.SMSBudgetUpdateAlerted(ctx, tx, today()); err != nil {
		return fmt.Errorf("recording the alert: %w", err)
	}
	return nil
}

// alertLow alerts administrators, once a day, that a fifth of the budget is left.
func (s *Service) alertLow(ctx context.Context, tx pgx.Tx, used int, v models.SMSSettings) error {
	err := s.Alert(ctx, tx, v, Email{
		Purpose: "budget_low", ExpiresAt: today().Add(24 * time.Hour),
		Message: email.BudgetLow(today(), used, v.Budget),
	})
	if err != nil {
		return err
	}
	if err := writes.SMSBudgetUpdateWarned(ctx, tx, today()); err != nil {
		return fmt.Errorf("recording the warning: %w", err)
	}
	return nil
}

// Alert queues an email within tx to the alert address of the SMS settings, or to
// every Super Admin if there is none. m.To is ignored.
func (s *Service) Alert(ctx context.Context, tx pgx.Tx, v models.SMSSettings, m Email) error {
	to := []string{v.AlertEmail}
	if v.AlertEmail == "" {
		var err error
		if to, err = queries.AdminUserListEmails(ctx, tx, "super_admin"); err != nil {
			return fmt.Errorf("listing the Super Admins to alert: %w", err)
		}
	}
	for _, m.To = range to {
		if err := s.SendEmail(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}
