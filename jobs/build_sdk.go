package jobs

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/sdk/builds"
	"heliograph/jobs/args"
)

// buildSDK builds the archive of a client library.
type buildSDK struct {
	river.WorkerDefaults[args.BuildSDK]
	deps Deps
}

// Timeout leaves time for a contract of thousands of operations.
func (w *buildSDK) Timeout(*river.Job[args.BuildSDK]) time.Duration { return 2 * time.Minute }

func (w *buildSDK) Work(ctx context.Context, job *river.Job[args.BuildSDK]) error {
	builder := builds.Builder{Store: w.deps.Store, Site: reference.Site{URL: strings.TrimSuffix(w.deps.PublicURL, "/")}}
	err := once(ctx, w.deps.Pool, job, func(tx pgx.Tx) error {
		return builder.Build(ctx, tx, job.Args.ReleaseID, job.Args.Language)
	})
	if errors.Is(err, builds.ErrBuilding) {
		return river.JobSnooze(comeBack)
	}
	return err
}

// comeBack is when a job looks again for an archive that another worker builds.
const comeBack = 10 * time.Second
