package notification

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db/models"
)

// Begin prepares a message for an attempt.
func (s *Service) Begin(ctx context.Context, id uuid.UUID) (*models.Dispatch, error) {
	return s.begin(ctx, id)
}

// End stores the result of an attempt.
func (s *Service) End(ctx context.Context, tx pgx.Tx, d models.Dispatch, a models.NotificationAttempt) (time.Duration, error) {
	return s.end(ctx, tx, d, a)
}
