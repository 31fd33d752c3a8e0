package setting

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

const consoleName = "console"

// refreshTimeout is how long reading a changed setting may take.
const refreshTimeout = 5 * time.Second

// Console returns the settings of the API console as they are stored. By default
// readers do not see it.
func (s *Settings) Console(ctx context.Context) (models.ConsoleSettings, error) {
	return s.loadConsole(ctx, s.db)
}

func (s *Settings) loadConsole(ctx context.Context, q db.Querier) (v models.ConsoleSettings, err error) {
	err = s.load(ctx, q, consoleName, &v, nil)
	return v, err
}

// ConsoleShown reports whether readers see the API console. It asks no database,
// because every page of the documentation depends on it: this process learns of a
// change when it is notified.
func (s *Settings) ConsoleShown() bool { return s.shown.Load() }

// SaveConsole stores the settings of the API console. actor is recorded in the audit.
func (s *Settings) SaveConsole(ctx context.Context, after models.ConsoleSettings, actor string) error {
	err := db.InTx(ctx, s.db, func(tx pgx.Tx) error {
		before, err := s.loadConsole(ctx, tx)
		if err != nil {
			return err
		}
		return s.save(ctx, tx, change{name: consoleName, before: before, after: after, actor: actor})
	})
	if err == nil {
		s.shown.Store(after.Shown)
	}
	return err
}

// followConsole reads the setting whenever it may have changed.
func (s *Settings) followConsole(listener *db.Listener) {
	listener.Subscribe(func(payload string) {
		if payload != "" && payload != "changed:settings" {
			return
		}
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), refreshTimeout)
			defer cancel()
			v, err := s.loadConsole(ctx, s.db)
			if err != nil {
				slog.WarnContext(ctx, "the settings of the API console were not read", "error", err)
				return
			}
			s.shown.Store(v.Shown)
		}()
	})
}
