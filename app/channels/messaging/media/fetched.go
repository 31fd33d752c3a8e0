package media

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/storage"
)

const (
	// fetchedLife is how long the file behind a link is kept after a message needed it.
	fetchedLife = 24 * time.Hour
	// fetchClaim is how long one process may fetch a link. Then it counts as dead.
	fetchClaim = 75 * time.Second
)

// fetchWindows says how long the result of a fetch holds for messages that are
// accepted later. Problems are short, because partners correct them.
var fetchWindows = queries.FetchWindows{File: 10 * time.Minute, Problem: time.Minute}

// Fetched keeps the files that messages name by link. All processes share what
// they fetch: one of them requests a link, and the result holds for the messages
// that were accepted until ten minutes after, however often they are retried. Files
// with the same content are stored once for each organisation. They count towards
// its quotas and give way to its uploads.
type Fetched struct{ Files }

// NewFetched returns the files in a database and a storage.
func NewFetched(pool *pgxpool.Pool, store storage.Store, quotas Quotas) *Fetched {
	return &Fetched{NewFiles(pool, store, quotas)}
}

// Link is a link of a message.
type Link struct {
	OrganisationID int64
	Kind           string    // as what its file is sent, such as image
	URL            string    // where the file is
	Accepted       time.Time // when the message was
}

func (l Link) hash() []byte {
	sum := sha256.Sum256([]byte(l.Kind + " " + l.URL))
	return sum[:]
}

// Holds reports whether the result of a fetch counts for a message that was accepted
// at a time.
func (*Fetched) Holds(fetch models.FetchedLink, accepted time.Time) bool {
	window := fetchWindows.File
	if fetch.Problem != "" {
		window = fetchWindows.Problem
	}
	return accepted.Before(fetch.FetchedAt.Add(window))
}

// Claim returns the result of an earlier fetch, or makes the next one the caller's
// task: claimed means that the caller must end it with Keep, Refuse or Release. With
// neither, another process is fetching the link.
func (f *Fetched) Claim(ctx context.Context, l Link) (found *models.FetchedLink, claimed bool, err error) {
	if found, err = f.find(ctx, l); found != nil || err != nil {
		return found, false, err
	}
	if claimed, err = writes.FetchedLinkClaim(ctx, f.pool, l.OrganisationID, l.hash(), fetchClaim); err != nil {
		return nil, false, fmt.Errorf("claiming a link: %w", err)
	}
	if !claimed {
		return nil, false, nil
	}
	// Another process may have ended its fetch since the first look.
	if found, err = f.find(ctx, l); found != nil || err != nil {
		return found, false, errors.Join(err, f.Release(ctx, l))
	}
	return nil, true, nil
}

func (f *Fetched) find(ctx context.Context, l Link) (*models.FetchedLink, error) {
	row, err := queries.FetchedLinkFind(ctx, f.pool, l.OrganisationID, l.hash(), l.Accepted, fetchWindows)
	if db.IsNoRows(err) {
		return nil, nil
	}
	if err == nil && row.Problem == "" {
		err = writes.FetchedFileExtend(ctx, f.pool, l.OrganisationID, l.hash(), fetchedLife)
	}
	if err != nil {
		return nil, fmt.Errorf("looking a link up: %w", err)
	}
	return &row, nil
}

// Release ends a claim without a result.
func (f *Fetched) Release(ctx context.Context, l Link) error {
	if err := writes.FetchedLinkRelease(ctx, f.pool, l.OrganisationID, l.hash()); err != nil {
		return fmt.Errorf("releasing a link: %w", err)
	}
	return nil
}

// Refuse ends a claim with the reason why the file cannot be sent.
func (f *Fetched) Refuse(ctx context.Context, l Link, problem string) error {
	if err := writes.FetchedLinkUpdate(ctx, f.pool, l.OrganisationID, l.hash(), "", problem); err != nil {
		return fmt.Errorf("refusing a link: %w", err)
	}
	return nil
}

// Keep stores a file of a type and ends the claim with it. A file that is too large is TooLarge. One that exceeds a quota of the organisation
// is refused, and problem says why. After any error the claim is still there.
func (f *Fetched) Keep(ctx context.Context, l Link, body io.Reader, t pipeline.FileType) (problem string, err error) {
	object, err := f.PutObject(ctx, storage.MediaKey, body, storage.PutOptions{ContentType: t.Name, Limit: t.Limit})
	if err != nil {
		return "", err
	}
	file := models.FetchedFile{OrganisationID: l.OrganisationID, Object: object.Key.String(), MIMEType: t.Name, Size: object.Size, SHA256: object.SHA256}
	stored := false
	err = db.InTx(ctx, f.pool, func(tx pgx.Tx) (err error) {
		if stored, err = f.keep(ctx, tx, file); err != nil {
			return err
		}
		return writes.FetchedLinkUpdate(ctx, tx, l.OrganisationID, l.hash(), file.SHA256, "")
	})
	if err != nil || !stored {
		f.DiscardObject(ctx, file.Object)
	}
	if refused := fault.As(err); refused != nil && refused.Message == QuotaMessage {
		problem = "The file behind the link cannot be kept: " + refused.Fields[0].Message + "."
		return problem, f.Refuse(ctx, l, problem)
	}
	return "", err
}

// keep adds a file, unless the organisation has its content already.
func (f *Fetched) keep(ctx context.Context, tx pgx.Tx, file models.FetchedFile) (stored bool, err error) {
	// The count of the day is locked, so that no other file of the organisation comes
	// in between.
	if err := f.countUpload(ctx, tx, file.OrganisationID, file.Size); err != nil {
		return false, err
	}
	if known, err := writes.FetchedFileKeep(ctx, tx, file, fetchedLife); known || err != nil {
		return false, err
	}
	if err := f.MakeRoom(ctx, tx, file.OrganisationID, file.Size); err != nil {
		return false, err
	}
	if err := errands.DiscardKeep(ctx, tx, file.Object); err != nil {
		return false, err
	}
	return true, writes.FetchedFileInsert(ctx, tx, file, fetchedLife)
}
