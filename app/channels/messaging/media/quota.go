package media

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/fault"
	"heliograph/db"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Quotas bounds the files of one organisation, in bytes. Zero means no bound.
type Quotas struct {
	Stored int64 // media, uploads and fetched files that are stored at once
	Daily  int64 // uploaded or fetched on one day (UTC)
}

// QuotaMessage is the message of errors for files that exceed a quota.
const QuotaMessage = "Storage quota exceeded"

// UseQuota counts a file of an organisation that is stored in the caller's
// transaction. A file that exceeds a quota is refused.
func (f *Files) UseQuota(ctx context.Context, tx pgx.Tx, organisationID, bytes int64) error {
	if err := f.countUpload(ctx, tx, organisationID, bytes); err != nil {
		return err
	}
	return f.MakeRoom(ctx, tx, organisationID, bytes)
}

// countUpload counts the bytes of a file towards the day, and locks that count.
func (f *Files) countUpload(ctx context.Context, tx pgx.Tx, organisationID, bytes int64) error {
	today, err := writes.UploadedAdd(ctx, tx, organisationID, bytes)
	if err != nil {
		return fmt.Errorf("counting an upload: %w", err)
	}
	if f.quotas.Daily > 0 && today > f.quotas.Daily {
		return quotaExceeded(fault.Limited, fmt.Sprintf("at most %d MB can be uploaded on one day (UTC)", f.quotas.Daily>>20))
	}
	return nil
}

// MakeRoom refuses a file for which an organisation has no room, and deletes fetched
// files for one that needs theirs.
func (f *Files) MakeRoom(ctx context.Context, tx pgx.Tx, organisationID, bytes int64) error {
	if f.quotas.Stored <= 0 {
		return nil
	}
	room, err := f.roomLeft(ctx, tx, organisationID, bytes)
	if err != nil {
		return err
	}
	if err := writes.FetchedFileTrim(ctx, tx, organisationID, room); err != nil {
		return fmt.Errorf("making room for a file: %w", err)
	}
	return nil
}

// checkStored refuses a file for which an organisation has no room.
func (f *Files) checkStored(ctx context.Context, q db.Querier, organisationID, bytes int64) error {
	if f.quotas.Stored <= 0 {
		return nil
	}
	_, err := f.roomLeft(ctx, q, organisationID, bytes)
	return err
}

// roomLeft returns how many bytes an organisation has left beside what it uploaded
// and a new file. A file for which there is no room is refused.
func (f *Files) roomLeft(ctx context.Context, q db.Querier, organisationID, bytes int64) (int64, error) {
	stored, err := queries.StoredBytes(ctx, q, organisationID)
	if err != nil {
		return 0, fmt.Errorf("adding files up: %w", err)
	}
	if stored+bytes > f.quotas.Stored {
		return 0, quotaExceeded(fault.Invalid, fmt.Sprintf("at most %d MB can be stored at once: delete media that are no longer needed", f.quotas.Stored>>20))
	}
	return f.quotas.Stored - stored - bytes, nil
}

func quotaExceeded(kind fault.Kind, detail string) error {
	f := &fault.Error{Kind: kind, Code: strconv.Itoa(refusal.MediaUpload), Message: QuotaMessage, Fields: []fault.Field{{Message: detail}}}
	if kind == fault.Limited {
		now := time.Now().UTC()
		f.RetryAfter = now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
	}
	return f
}
