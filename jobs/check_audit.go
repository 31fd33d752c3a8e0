package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/operation/audit"
	"heliograph/jobs/args"
)

// checkAudit verifies the audit chain and anchors it.
type checkAudit struct {
	river.WorkerDefaults[args.CheckAudit]
	deps Deps
}

// Timeout leaves time for millions of entries.
func (w *checkAudit) Timeout(*river.Job[args.CheckAudit]) time.Duration { return 5 * time.Minute }

func (w *checkAudit) Work(ctx context.Context, _ *river.Job[args.CheckAudit]) error {
	return audit.NewAnchors(w.deps.Pool, w.deps.Anchors, w.deps.Keyring, w.deps.PublicURL).Check(ctx)
}
