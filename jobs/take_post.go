package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels"
	"heliograph/app/channels/carry"
	"heliograph/app/channels/messaging"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// takePost reads what a carrier of the messaging channel has posted. What cannot be
// read now stays, and is read again. What was read already changes nothing.
type takePost struct {
	river.WorkerDefaults[args.TakePost]
	deps Deps
}

// Timeout leaves time for the files of messages. Without files it is the usual one, so
// that another worker soon reads the post of one that died.
func (w *takePost) Timeout(job *river.Job[args.TakePost]) time.Duration {
	if !job.Args.Files {
		return 0
	}
	return 3 * time.Minute
}

func (w *takePost) Work(ctx context.Context, job *river.Job[args.TakePost]) error {
	post, err := queries.UpstreamPostGet(ctx, w.deps.Pool, job.Args.PostID)
	if db.IsNoRows(err) {
		return river.JobCancel(fmt.Errorf("post %d is gone", job.Args.PostID))
	}
	if err != nil {
		return fmt.Errorf("reading post %d: %w", job.Args.PostID, err)
	}
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	carrier, err := queries.CarrierGet(ctx, w.deps.Pool, post.Carrier)
	if db.IsNoRows(err) {
		return river.JobCancel(fmt.Errorf("carrier %s is gone", post.Carrier))
	}
	if err != nil {
		return fmt.Errorf("reading carrier %s: %w", post.Carrier, err)
	}
	taker := messaging.NewTaker(messaging.TakerOptions{
		Pool: w.deps.Pool, Store: w.deps.Store, Quotas: w.deps.Quotas, Jobs: client, Channels: channels.All, Signals: w.deps.Signals, Product: w.deps.Product,
		Fetch: func(ctx context.Context, id string) (messaging.SentFile, error) {
			opened, err := carry.OpenGraph(w.deps.carrying(), carrier)
			if err != nil {
				return messaging.SentFile{}, err
			}
			f, body, err := opened.Fetch(ctx, id)
			var refusal *outbound.CarrierError
			if errors.As(err, &refusal) && !refusal.Temporary {
				return messaging.SentFile{}, messaging.ErrNoFile
			}
			return messaging.SentFile{Body: struct {
				io.Reader
				io.Closer
			}{f.Body, body}, Type: f.Type}, err
		},
	})
	if err := taker.Take(ctx, carrier, post.Body); err != nil {
		return fmt.Errorf("reading post %d of carrier %s: %w", post.ID, post.Carrier, err)
	}
	return db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if err := queries.UpstreamPostDelete(ctx, tx, post.ID); err != nil {
			return fmt.Errorf("deleting post %d: %w", post.ID, err)
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
}
