package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"heliograph/app/config"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/across"
)

// diagnosis is what the doctor found out about one part of the platform.
type diagnosis struct {
	part    string
	problem string // empty if all is well
	remedy  string
	warning bool // worth knowing, but no reason to fail
}

// errUnwell ends the doctor with status 1 after the problems were listed.
var errUnwell = errors.New("problems were found: see above")

// runDoctor is the command doctor: it checks the platform part by part and says what
// to do about each problem. It changes nothing.
func runDoctor(ctx context.Context, t terminal, args []string) error {
	flags := newFlags(t, "doctor")
	data := dataFlag(flags)
	if err := parseFlags(flags, args); err != nil {
		return err
	}
	unwell := false
	for _, d := range examine(ctx, t, *data) {
		switch {
		case d.problem == "":
			fmt.Fprintf(t.out, "ok       %s\n", d.part)
		case d.warning:
			fmt.Fprintf(t.out, "warning  %s: %s\n         %s\n", d.part, d.problem, d.remedy)
		default:
			unwell = true
			fmt.Fprintf(t.out, "problem  %s: %s\n         %s\n", d.part, d.problem, d.remedy)
		}
	}
	if unwell {
		return errUnwell
	}
	return nil
}

// examine checks one part after the other, and stops at one that the rest needs.
func examine(ctx context.Context, t terminal, data string) (all []diagnosis) {
	s, err := loadSite(t, data, config.Everything)
	if err != nil {
		return []diagnosis{{part: "configuration", problem: err.Error(), remedy: "Set the variables that are named. `heliograph help configuration` lists all of them."}}
	}
	all = append(all, diagnosis{part: "configuration"})
	leave, err := s.database(ctx)
	if err == nil {
		defer leave()
		var p *platform
		if p, err = openPlatform(ctx, s.Config, "doctor", 4); err == nil {
			defer p.close()
			return append(append(all, diagnosis{part: "database"}), p.examine(ctx)...)
		}
	}
	return append(all, diagnosis{part: "database and storage", problem: err.Error(), remedy: "Check DATABASE_URL and the STORAGE settings, and that both servers run and let this machine in."})
}

// examine checks what lies behind an open platform.
func (p *platform) examine(ctx context.Context) (all []diagnosis) {
	current, err := db.Current(ctx, p.pool)
	if err != nil || !current {
		return append(all, diagnosis{part: "schema", problem: "The schema is older than this program.", remedy: "Run heliograph migrate."})
	}
	keys := diagnosis{part: "keys", remedy: "Set ENCRYPTION_KEYS to the keys that this database was used with."}
	if err := checkKeysOnly(ctx, p.pool, p.keyring); err != nil {
		keys.problem = err.Error()
	}
	files := diagnosis{part: "storage", remedy: "Check the S3 server and its keys. Uploads and media fail until it answers; the rest works."}
	if !p.files.Available() {
		files.problem = "The file storage does not answer."
	}
	all = append(all, diagnosis{part: "schema"}, keys, files, p.checkClock(ctx))
	o, err := across.OverviewGet(ctx, p.pool)
	if err != nil {
		return append(all, diagnosis{part: "queues", problem: err.Error(), remedy: "Run the doctor again, and check the log of the database."})
	}
	return append(all, checkWork(o, time.Now())...)
}

// checkKeysOnly checks the keys without storing the check value of a new one.
func checkKeysOnly(ctx context.Context, q db.Querier, keys *keyring.Keyring) error {
	opens, err := setting.OpensChecks(ctx, q, keys)
	if err == nil && !opens {
		err = fault.New(fault.Conflict, "The keys do not open what is stored.")
	}
	return err
}

// clockDrift is how far the clocks of this machine and of the database may differ.
const clockDrift = 2 * time.Second

func (p *platform) checkClock(ctx context.Context) diagnosis {
	d := diagnosis{part: "clock", remedy: "Synchronise the clocks of both machines, for example with chrony. Links, codes and signatures depend on them."}
	if err := p.clock.Check(ctx); err != nil {
		d.problem = err.Error()
	} else if p.clock.Offset().Abs() > clockDrift {
		d.problem = fmt.Sprintf("The clock of this machine differs from that of the database by %s.", p.clock.Offset().Round(time.Second).Abs())
	}
	return d
}

// checkWork checks the queues and what is stuck.
func checkWork(o models.Overview, now time.Time) (all []diagnosis) {
	queues := diagnosis{part: "queues", remedy: "Check that a worker runs and works this queue: see --queues and the log of the worker."}
	for _, q := range o.Queues {
		if waits := now.Sub(q.Oldest); waits > 2*time.Minute {
			queues.problem += fmt.Sprintf("%d jobs of the queue %s wait, the oldest for %s. ", q.Waiting, q.Name, waits.Round(time.Second))
		}
	}
	warn := func(part string, n int64, problem, remedy string) {
		d := diagnosis{part: part, warning: true, remedy: remedy}
		if n > 0 {
			d.problem = fmt.Sprintf(problem, n)
		}
		all = append(all, d)
	}
	warn("paused queues", int64(len(o.QueuesPaused)), "%d queues are paused.", "Resume them at /admin/jobs.")
	warn("partitions", o.PartitionsLate, "%d tables write to their last partition.", "Check that a worker runs and see whether the job purge_logs fails. It makes partitions every hour. Nothing is lost meanwhile.")
	warn("failing jobs", o.JobsFailing, "%d jobs fail again and again.", "heliograph jobs failing lists the causes. Retry them once the cause is gone.")
	warn("discarded jobs", o.JobsDiscarded, "%d jobs were discarded.", "Read them at /admin/jobs, and retry them once the cause is gone.")
	warn("webhooks", o.WebhooksDisabled, "%d webhooks are disabled.", "Their owners received an email. Nothing has to be done here.")
	warn("numbers", o.NumbersStranded, "%d live numbers have no carrier.", "Set a carrier up with heliograph carrier set and carrier route.")
	warn("emails and codes", o.NotificationsFailed, "%d emails and codes were not delivered within a day.", "/admin/notifications has the answers of the providers.")
	warn("parked messages", o.MessagesParked, "%d messages wait for a person, because nobody knows whether the carrier has them.", "Decide about them at /admin/parked-messages.")
	carriers := diagnosis{part: "carriers", remedy: "Test the carrier at /admin/carriers. Its messages wait until it takes them or they expire."}
	for _, c := range o.CarriersFailing {
		carriers.problem += fmt.Sprintf("The carrier %s takes nothing: %s. ", c.Carrier, strings.TrimSuffix(c.Error, "."))
	}
	for _, u := range o.UpstreamProblems {
		carriers.problem += fmt.Sprintf("The carrier %s holds the %s %d back: %s ", u.Carrier, u.Kind, u.AssetID, u.Problem)
	}
	stuck := diagnosis{part: "messages", remedy: "Check the carriers and the queue send. A worker gives messages without a job a new one every minute."}
	if o.OldestAcceptedAt != nil && now.Sub(*o.OldestAcceptedAt) > 10*time.Minute {
		stuck.problem = fmt.Sprintf("The oldest message has waited for its carrier for %s.", now.Sub(*o.OldestAcceptedAt).Round(time.Second))
	}
	audit := diagnosis{part: "audit", remedy: "Run heliograph audit verify, and compare with the anchors before anything is restored."}
	if o.AuditBrokenSeq != nil {
		audit.problem = fmt.Sprintf("Entry %d of the audit was changed or removed.", *o.AuditBrokenSeq)
	}
	return append([]diagnosis{queues, stuck, carriers, audit}, all...)
}
