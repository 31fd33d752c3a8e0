package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/rcs"
	"heliograph/db"
	"heliograph/jobs/args"
)

// answerInvitation answers for a phone of the virtual carrier.
type answerInvitation struct {
	river.WorkerDefaults[args.AnswerInvitation]
	deps Deps
}

func (w *answerInvitation) Work(ctx context.Context, job *river.Job[args.AnswerInvitation]) error {
	return db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if answer := rcs.VirtualAnswer(job.Args.Number); answer != "" {
			if err := rcs.AnswerInvitation(ctx, tx, job.Args.BotID, job.Args.Number, answer); err != nil {
				return err
			}
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
}
