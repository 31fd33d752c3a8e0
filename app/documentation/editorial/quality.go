package editorial

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"heliograph/app/documentation/editorial/checks"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

// ChecksTopic names the events of finished checks on open pages.
const ChecksTopic = "checks"

// Finding is what a check found in an item of a change set, with its effect there.
type Finding struct {
	ItemID int64
	models.CheckFinding
	Label string // of the check
	Level checks.Level
}

// IsTyped reports whether the finding shows while an item is typed too.
func (f Finding) IsTyped() bool { return checks.IsTyped(f.Check) }

// Quality is what the checks found in a change set.
type Quality struct {
	Findings []Finding // the blocking ones first
	// Pending counts the items with present content that has not been checked yet. What
	// was found in an earlier content of theirs is among the findings.
	Pending   int
	CheckedAt time.Time // of the oldest result, zero without one
}

// Blocking lists the findings that keep the change set from review and release.
func (q Quality) Blocking() (list []Finding) {
	return slices.DeleteFunc(slices.Clone(q.Findings), func(f Finding) bool { return f.Level != checks.Block })
}

// ReadQuality returns what the checks found in a change set so far.
func ReadQuality(ctx context.Context, q db.Querier, set models.ChangeSet, changes []models.Change) (Quality, error) {
	results, err := queries.CheckResultList(ctx, q, set.ID)
	if err != nil {
		return Quality{}, fmt.Errorf("reading the checks of change set %d: %w", set.ID, err)
	}
	levels, err := Policy(ctx, q, set.ProductID)
	if err != nil {
		return Quality{}, err
	}
	return qualityOf(changes, results, levels), nil
}

func qualityOf(changes []models.Change, results []models.CheckResult, levels map[string]checks.Level) (q Quality) {
	byItem := lists.By(results, func(r models.CheckResult) int64 { return r.ItemID })
	for _, c := range changes {
		if c.Action == actionArchive {
			continue
		}
		r, ok := byItem[c.Item.ID]
		if !ok || !bytes.Equal(r.ContentHash, c.Hash) {
			q.Pending++
		}
		if ok && (q.CheckedAt.IsZero() || r.CheckedAt.Before(q.CheckedAt)) {
			q.CheckedAt = r.CheckedAt
		}
		for _, f := range r.Findings {
			check, known := checks.Get(f.Check)
			if level := levels[f.Check]; known && level != checks.Off {
				q.Findings = append(q.Findings, Finding{ItemID: c.Item.ID, CheckFinding: f, Label: check.Label, Level: level})
			}
		}
	}
	slices.SortStableFunc(q.Findings, func(a, b Finding) int {
		return slices.Index(checks.Levels, a.Level) - slices.Index(checks.Levels, b.Level)
	})
	return q
}

// RunChecks checks the items of a change set and keeps what was found. Nothing is
// done for one that is gone or closed.
func RunChecks(ctx context.Context, q db.Querier, setID int64) error {
	if err := writes.CheckLock(ctx, q, setID); err != nil {
		return fmt.Errorf("waiting for other checks: %w", err)
	}
	set, err := queries.ChangeSetGet(ctx, q, setID)
	if err != nil {
		return db.Absent(err, nil, "reading change set %d", setID)
	}
	if slices.Contains([]string{StatePublished, StateRejected, StateWithdrawn}, set.State) {
		return nil
	}
	changes, err := queries.ChangeSetItemList(ctx, q, setID)
	if err != nil {
		return fmt.Errorf("reading the changes of %d: %w", setID, err)
	}
	_, err = runChecks(ctx, q, set, changes)
	return err
}

// runChecks checks items. What was found before is used again where nothing of what
// it depends on has changed.
func runChecks(ctx context.Context, q db.Querier, set models.ChangeSet, changes []models.Change) ([]models.CheckResult, error) {
	before, err := queries.CheckResultList(ctx, q, set.ID)
	if err != nil {
		return nil, fmt.Errorf("reading the checks of change set %d: %w", set.ID, err)
	}
	s := newCheckContext(q, set, changes)
	var results []models.CheckResult
	for _, c := range changes {
		if c.Action == actionArchive {
			continue
		}
		item, world, err := s.of(ctx, c)
		if err != nil {
			return nil, err
		}
		r := models.CheckResult{ItemID: c.Item.ID, ContentHash: c.Hash, Basis: basis(item, world, c.Hash)}
		if i := slices.IndexFunc(before, func(b models.CheckResult) bool { return b.ItemID == r.ItemID && bytes.Equal(b.Basis, r.Basis) }); i >= 0 {
			results = append(results, before[i])
			continue
		}
		r.Findings = checks.Run(item, world)
		if err := writes.CheckResultPut(ctx, q, set.ID, r); err != nil {
			return nil, fmt.Errorf("keeping the checks of %s %s: %w", c.Item.Kind, c.Item.Slug, err)
		}
		results = append(results, r)
	}
	return results, nil
}

// requestChecks has a worker check a change set.
func (w *writer) requestChecks(ctx context.Context, setID int64) error {
	if err := errands.JobInsertCheck(ctx, w.tx, args.CheckChangesKind, args.QueueDefault, setID); err != nil {
		return fmt.Errorf("requesting the checks of change set %d: %w", setID, err)
	}
	return nil
}

// guardChecks refuses a change set with blocking findings. What no worker has
// checked is checked now. The program itself and a Super Admin who overrides are not
// refused.
func (s *setMove) guardChecks(ctx context.Context) error {
	if s.set.AuthorID == 0 || s.reverts {
		return nil
	}
	levels, err := Policy(ctx, s.tx, s.productID)
	if err != nil {
		return err
	}
	results, err := runChecks(ctx, s.tx, s.set, s.changes)
	if err != nil {
		return err
	}
	blocking := qualityOf(s.changes, results, levels).Blocking()
	if len(blocking) == 0 {
		return nil
	}
	texts := make([]string, 0, namedFindings)
	for _, f := range blocking[:min(len(blocking), namedFindings)] {
		texts = append(texts, fmt.Sprintf("%s: %s", s.nameOf(f.ItemID), f.Message))
	}
	if s.overrides {
		s.details["override"], s.details["checks"] = true, texts
		return s.giveReasons(blocking)
	}
	if more := len(blocking) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("And %d more.", more))
	}
	return &fault.Error{Kind: fault.Conflict, Code: "checks", Message: fmt.Sprintf("Checks block change set %d. %s", s.set.ID, strings.Join(texts, " "))}
}

// giveReasons refuses blocking checks without a reason, where reasons were asked for.
func (s *setMove) giveReasons(blocking []Finding) error {
	if s.reasons == nil {
		return nil
	}
	var missing fault.Fields
	given := map[string]string{}
	for _, f := range blocking {
		if given[f.Check] != "" {
			continue
		}
		if given[f.Check] = strings.TrimSpace(s.reasons[f.Check]); given[f.Check] == "" {
			given[f.Check] = " "
			missing.Add(ReasonField+f.Check, "Say why it is published although this check blocks it: "+f.Message)
		}
	}
	if err := missing.Err(); err != nil {
		return err
	}
	s.details["reasons"] = given
	return nil
}

// namedFindings is the number of findings that a refusal names.
const namedFindings = 5

func (s *setMove) nameOf(itemID int64) string {
	for _, c := range s.changes {
		if c.Item.ID == itemID {
			return c.Item.Kind + " " + c.Item.Slug
		}
	}
	return ""
}
