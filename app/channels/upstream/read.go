package upstream

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
	"heliograph/app/outbound"
	"heliograph/db"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// readLife is how long a read receipt is worth sending.
const readLife = 24 * time.Hour

// TellRead tells the carrier of a received message that it was read. A repeated
// receipt changes nothing.
func (u *Upstreams) TellRead(ctx context.Context, run args.Run, a args.TellRead) error {
	name, upstreamID, err := queries.UpstreamOfReceived(ctx, u.deps.Pool, a.MessageID)
	if err != nil {
		return db.Absent(err, nil, "looking the carrier of message %s up", a.MessageID) // it came from no carrier
	}
	number, err := queries.ReceivedNumber(ctx, u.deps.Pool, a.MessageID)
	if err != nil {
		return db.Absent(err, nil, "looking message %s up", a.MessageID) // it was erased
	}
	stored, err := queries.CarrierGet(ctx, u.deps.Pool, name)
	if db.IsNoRows(err) || err == nil && stored.Kind != outbound.KindGraph {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading carrier %s: %w", name, err)
	}
	carrier, err := carry.OpenGraph(u.deps.Options, stored)
	if err != nil {
		return err
	}
	err = carrier.MarkRead(ctx, strconv.FormatInt(number, 10), upstreamID, a.Typing)
	var refusal *outbound.CarrierError
	if errors.As(err, &refusal) && !refusal.Temporary || err != nil && time.Since(run.CreatedAt) > readLife {
		return river.JobCancel(fmt.Errorf("telling carrier %s that a message was read: %w", name, err))
	}
	if errors.As(err, &refusal) {
		return river.JobSnooze(max(refusal.Wait, 5*time.Second))
	}
	return err
}
