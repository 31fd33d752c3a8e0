package messaging

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/queries"
)

// Quotas bounds the files of one organisation, in bytes. Zero means no bound.
type Quotas struct {
	Stored int64 // media and uploads that are stored at once
	Daily  int64 // uploaded on one day (UTC)
}

// useQuota counts a file of an organisation that is stored in the caller's
// transaction. A file that exceeds a quota is refused.
func (s *Service) useQuota(ctx context.Context, tx pgx.Tx, organisationID, bytes int64) error {
	today, err := queries.UploadedAdd(ctx, tx, organisationID, bytes)
	if err != nil {
		return fmt.Errorf("counting an upload: %w", err)
	}
	if s.quotas.Daily > 0 && today > s.quotas.Daily {
		return quotaExceeded(fault.Limited, fmt.Sprintf("at most %d MB can be uploaded on one day (UTC)", s.quotas.Daily>>20))
	}
	return s.checkStored(ctx, tx, organisationID, bytes)
}

// checkStored refuses a file for which an organisation has no room.
func (s *Service) checkStored(ctx context.Context, q db.Querier, organisationID, bytes int64) error {
	if s.quotas.Stored <= 0 {
		return nil
	}
	stored, err := queries.StoredBytes(ctx, q, organisationID)
	if err != nil {
		return fmt.Errorf("adding files up: %w", err)
	}
	if stored+bytes > s.quotas.Stored {
		return quotaExceeded(fault.Invalid, fmt.Sprintf("at most %d MB can be stored at once: delete media that are no longer needed", s.quotas.Stored>>20))
	}
	return nil
}

func quotaExceeded(kind fault.Kind, detail string) error {
	f := &fault.Error{Kind: kind, Code: strconv.Itoa(codeMediaUpload), Message: "Storage quota exceeded", Fields: []fault.Field{{Message: detail}}}
	if kind == fault.Limited {
		now := time.Now().UTC()
		f.RetryAfter = now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
	}
	return f
}
