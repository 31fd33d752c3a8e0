package notification

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Budget is how far the SMS of a day (UTC) are used up.
type Budget struct {
	Used    int // handed over, or about to be
	Waiting int // queued and not counted in Used yet
	Limit   int
}

// Spent reports whether nothing is left.
func (b Budget) Spent() bool { return b.Used >= b.Limit }

// Low reports whether at most a fifth is left.
func (b Budget) Low() bool { return b.Used*5 >= b.Limit*4 }

// Budget returns how the budget of today stands.
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

// charge takes one SMS of the budget of today; false says that nothing was
// left, and that the message has failed for it. Who takes the last one, or the
// one that leaves a fifth, tells the administrators.
func (s *Service) charge(ctx context.Context, tx pgx.Tx, n models.Notification, v models.SMSSettings) (bool, error) {
	day, err := queries.SMSBudgetTake(ctx, tx, today(), v.Budget)
	if db.IsNoRows(err) {
		refused := models.NotificationAttempt{
			NotificationID: n.ID, StartedAt: time.Now(), Provider: "budget", Outcome: models.OutcomeRejected,
			Answer: fmt.Sprintf("The budget of %d SMS a day is used up.", v.Budget),
		}
		if err := queries.NotificationAttemptInsert(ctx, tx, refused); err != nil {
			return false, fmt.Errorf("storing an attempt at message %s: %w", n.ID, err)
		}
		return false, finish(ctx, tx, n.ID, failed)
	}
	if err != nil {
		return false, fmt.Errorf("charging the SMS budget: %w", err)
	}
	if err := queries.NotificationUpdateCharged(ctx, tx, n.ID); err != nil {
		return false, fmt.Errorf("charging message %s: %w", n.ID, err)
	}
	switch spent := (Budget{Used: day.Used, Limit: v.Budget}); {
	case spent.Spent() && day.AlertedAt == nil:
		return true, s.alertSpent(ctx, tx, v)
	case spent.Low() && !spent.Spent() && day.WarnedAt == nil:
		return true, s.alertLow(ctx, tx, day.Used, v)
	}
	return true, nil
}

// alertSpent tells administrators, once a day, that no SMS are sent any more.
func (s *Service) alertSpent(ctx context.Context, tx pgx.Tx, v models.SMSSettings) error {
	err := s.Alert(ctx, tx, v, Email{
		Purpose: "budget", ExpiresAt: today().Add(24 * time.Hour),
		Subject: fmt.Sprintf("The SMS budget of %s is used up", today().Format("2 January 2006")),
		Text: fmt.Sprintf(`All %d SMS of today's budget are sent. No further codes go out before midnight UTC.

If these were people who register or sign in, raise the budget under SMS
settings; sending goes on at once. If they were not, look at the numbers that
codes went to and narrow the countries that they may go to on the same page.
`, v.Budget),
	})
	if err != nil {
		return err
	}
	if err := queries.SMSBudgetUpdateAlerted(ctx, tx, today()); err != nil {
		return fmt.Errorf("noting the alert: %w", err)
	}
	return nil
}

// alertLow tells administrators, once a day, that a fifth of the SMS is left.
func (s *Service) alertLow(ctx context.Context, tx pgx.Tx, used int, v models.SMSSettings) error {
	err := s.Alert(ctx, tx, v, Email{
		Purpose: "budget_low", ExpiresAt: today().Add(24 * time.Hour),
		Subject: fmt.Sprintf("%d of %d SMS of %s are used", used, v.Budget, today().Format("2 January 2006")),
		Text: fmt.Sprintf(`%d of the %d SMS of today's budget are sent. When the rest is, no code goes out
before midnight UTC, and nobody can register or choose another password.

If these are people who register or sign in, raise the budget under SMS
settings. If they are not, narrow the countries that codes may go to on the
same page.
`, used, v.Budget),
	})
	if err != nil {
		return err
	}
	if err := queries.SMSBudgetUpdateWarned(ctx, tx, today()); err != nil {
		return fmt.Errorf("noting the warning: %w", err)
	}
	return nil
}

// Alert sends a letter, whose To is not used, within tx to the address that the
// SMS settings name for alerts, or to every Super Admin.
func (s *Service) Alert(ctx context.Context, tx pgx.Tx, v models.SMSSettings, m Email) error {
	to := []string{v.AlertEmail}
	if v.AlertEmail == "" {
		var err error
		if to, err = queries.AdminUserListEmails(ctx, tx, "super_admin"); err != nil {
			return fmt.Errorf("finding whom to alert: %w", err)
		}
	}
	for _, m.To = range to {
		if err := s.SendEmail(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}
