package jobs

import (
	"time"

	"github.com/riverqueue/river"

	"heliograph/jobs/args"
)

// intervals lists what is done again and again, each at the start of a leader
// too.
var intervals = []struct {
	every time.Duration
	args  river.JobArgs
}{
	{time.Hour, args.CheckAudit{}},
	{15 * time.Minute, args.CountUsage{}},
	{time.Hour, args.Housekeep{}},
	{24 * time.Hour, args.ResealSecrets{}},
	{10 * time.Minute, args.SweepMedia{}},
	{5 * time.Minute, args.SettleTemplates{}},
}

// periodic returns the periodic jobs. The leader among the workers inserts
// them.
func periodic() []*river.PeriodicJob {
	jobs := make([]*river.PeriodicJob, len(intervals))
	for i, p := range intervals {
		insert := func() (river.JobArgs, *river.InsertOpts) { return p.args, nil }
		jobs[i] = river.NewPeriodicJob(river.PeriodicInterval(p.every), insert, &river.PeriodicJobOpts{RunOnStart: true})
	}
	return jobs
}
