package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/operation/setting"
	"heliograph/jobs/args"
)

// resealSecrets re-encrypts secrets that an old key encrypted.
type resealSecrets struct {
	river.WorkerDefaults[args.ResealSecrets]
	deps Deps
}

func (w *resealSecrets) Timeout(*river.Job[args.ResealSecrets]) time.Duration {
	return 10 * time.Minute
}

func (w *resealSecrets) Work(ctx context.Context, _ *river.Job[args.ResealSecrets]) error {
	_, err := setting.Reseal(ctx, w.deps.Pool, w.deps.Keyring)
	return err
}
