package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
	"heliograph/app/channels/messaging"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

// TakePost reads what a carrier of the messaging channel has posted. What cannot be
// read now stays, and is read again. What was read already changes nothing.
func (u *Upstreams) TakePost(ctx context.Context, run args.Run, a args.TakePost) error {
	post, err := queries.UpstreamPostGet(ctx, u.deps.Pool, a.PostID)
	if err != nil {
		return db.Absent(err, river.JobCancel(fmt.Errorf("post %d is gone", a.PostID)), "reading post %d", a.PostID)
	}
	if run.Inserter == nil {
		return errNoInserter
	}
	carrier, err := queries.CarrierGet(ctx, u.deps.Pool, post.Carrier)
	if err != nil {
		return db.Absent(err, river.JobCancel(fmt.Errorf("carrier %s is gone", post.Carrier)), "reading carrier %s", post.Carrier)
	}
	taker := messaging.NewTaker(messaging.TakerOptions{
		Pool: u.deps.Pool, Store: u.deps.Store, Quotas: u.deps.Quotas, Jobs: run.Inserter, Channels: u.deps.Channels, Signals: u.deps.Signals, Product: u.deps.Product,
		Fetch: func(ctx context.Context, id string) (messaging.SentFile, error) { return u.fetch(ctx, carrier, id) },
	})
	if err := taker.Take(ctx, carrier, post.Body); err != nil {
		return fmt.Errorf("reading post %d of carrier %s: %w", post.ID, post.Carrier, err)
	}
	return db.InTx(ctx, u.deps.Pool, func(tx pgx.Tx) error {
		if err := writes.UpstreamPostDelete(ctx, tx, post.ID); err != nil {
			return fmt.Errorf("deleting post %d: %w", post.ID, err)
		}
		_, err := errands.JobUpdateCompleted(ctx, tx, []int64{run.JobID})
		return err
	})
}

// fetch gets a file that a carrier keeps for a message.
func (u *Upstreams) fetch(ctx context.Context, carrier models.Carrier, id string) (messaging.SentFile, error) {
	opened, err := carry.OpenGraph(u.deps.Options, carrier)
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
}
