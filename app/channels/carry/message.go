package carry

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/channels/pipeline"
	"heliograph/jobs/args"
)

// Carry hands an accepted message to its carrier and reports it as sent, or as failed
// if the carrier refuses it or it has expired. While a carrier is unavailable the job
// is put off, so that its own attempts count crashes only.
func (e *Engine) Carry(ctx context.Context, run args.Run, a args.CarryMessage) error {
	found, err := e.messages.Load(ctx, a.MessageID)
	if err != nil {
		return fmt.Errorf("loading message %s: %w", a.MessageID, err)
	}
	if len(found) == 0 {
		return river.JobCancel(fmt.Errorf("message %s is gone", a.MessageID))
	}
	m := found[0]
	if m.State != pipeline.Accepted || m.Leg != max(a.Leg, 1) {
		return nil
	}
	h := &handover{failures: run.Snoozes, attempt: run.Attempt}
	err = e.carry(ctx, h, m)
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err() // this process is being stopped; the carrier is not to blame
	}
	if err != nil && !h.delayed {
		return err
	}
	if h.delayed {
		wait := e.delay(ctx, h, err)
		if err := e.report(ctx, run, false, h); err != nil {
			return err
		}
		return river.JobSnooze(wait)
	}
	return e.report(ctx, run, true, h)
}

// pauses are the waits after the first failures of a carrier; the last is that
// of all others.
var pauses = []time.Duration{time.Second, 5 * time.Second, 25 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute}

// pause is how long a message waits for its carrier after earlier failures and
// one more: longer each time, up to a quarter less by chance so that messages
// spread, and at most a tenth of its life so that a short one is tried while it
// matters. It ends with what is left of that life, when the message fails.
func pause(earlier int, life, left time.Duration) time.Duration {
	wait := min(pauses[min(earlier, len(pauses)-1)], life/10)
	return max(min(wait-rand.N(wait/4), left), 0)
}
