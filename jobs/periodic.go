package jobs

import (
	"time"

	"github.com/riverqueue/river"

	"heliograph/jobs/args"
)

// intervals lists the periodic jobs, each of which also runs when a leader starts.
var intervals = []struct {
	every time.Duration
	args  river.JobArgs
}{
	{time.Hour, args.CheckAudit{}},
	{time.Minute, args.CheckUpstreams{}},
	{time.Minute, args.CheckWatches{}},
	{15 * time.Minute, args.CollectInsight{}},
	{15 * time.Minute, args.CountUsage{}},
	{time.Minute, args.EmailReviews{}},
	{time.Hour, args.Housekeep{}},
	{time.Hour, args.PurgeLogs{}},
	{24 * time.Hour, args.ResealSecrets{}},
	{24 * time.Hour, args.SweepCards{}},
	{24 * time.Hour, args.SweepSDKs{}},
	{10 * time.Minute, args.SweepMedia{}},
	{5 * time.Minute, args.SettleTemplates{}},
	{time.Minute, args.SettleWork{}},
	{5 * time.Minute, args.SyncAssets{}},
	{15 * time.Minute, args.SyncTemplates{}},
	{time.Hour, args.SweepGallery{}},
	{time.Hour, args.TellStranded{}},
}

// periodic returns the periodic jobs. The leader among the workers inserts
// them.
func periodic() []*river.PeriodicJob {
	jobs := make([]*river.PeriodicJob, len(intervals))
	for i, p := range intervals {
		insert := func() (river.JobArgs, *river.InsertOpts) {
			return p.args, &river.InsertOpts{MaxAttempts: periodicAttempts}
		}
		jobs[i] = river.NewPeriodicJob(river.PeriodicInterval(p.every), insert, &river.PeriodicJobOpts{RunOnStart: true})
	}
	return jobs
}
