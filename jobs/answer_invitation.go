package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/rcs"
	"heliograph/jobs/args"
)

// answerInvitation answers for a phone of the virtual carrier.
type answerInvitation struct {
	river.WorkerDefaults[args.AnswerInvitation]
	deps Deps
}

func (w *answerInvitation) Work(ctx context.Context, job *river.Job[args.AnswerInvitation]) error {
	return once(ctx, w.deps.Pool, job, func(tx pgx.Tx) error {
		return rcs.AnswerInvitation(ctx, tx, job.Args.BotID, job.Args.Number)
	})
}
