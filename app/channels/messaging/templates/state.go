package templates

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/callback"
	"heliograph/app/channels/relay"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// templateStep is a transition of the state machine of templates.
type templateStep string

const (
	stepApprove templateStep = "approve"
	stepReject  templateStep = "reject"
	stepEdit    templateStep = "edit"
	stepPause   templateStep = "pause"
	stepUnpause templateStep = "unpause"
	stepDisable templateStep = "disable"
	stepRetire  templateStep = "retire" // deleted while messages are in transit
	stepRemove  templateStep = "remove"
)

var liveStatuses = []string{"PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED", "IN_APPEAL", "LIMIT_EXCEEDED", "ARCHIVED", "LOCKED"}

// templateMoves is the state machine of templates: the states in which a step is
// allowed, and the state after it. A new template is PENDING.
var templateMoves = map[templateStep]struct {
	from []string
	to   string
}{
	stepApprove: {[]string{"PENDING"}, "APPROVED"},
	stepReject:  {[]string{"PENDING"}, "REJECTED"},
	stepEdit:    {[]string{"APPROVED", "REJECTED", "PAUSED"}, "PENDING"},
	stepPause:   {[]string{"APPROVED"}, "PAUSED"},
	stepUnpause: {[]string{"PAUSED"}, "APPROVED"},
	stepDisable: {[]string{"APPROVED"}, "DISABLED"},
	stepRetire:  {liveStatuses, "PENDING_DELETION"},
	stepRemove:  {append([]string{"PENDING_DELETION"}, liveStatuses...), "DELETED"},
}

// canStep reports whether a step is allowed in the state of the template.
func canStep(t *models.Template, s templateStep) bool {
	return slices.Contains(templateMoves[s].from, t.Status)
}

// templateTx changes templates in one transaction and relays the changes to
// partners.
type templateTx struct {
	tx      pgx.Tx
	jobs    args.Inserter
	product string // name of the channel in callbacks
	now     time.Time
}

// move applies a step to a template and clears the fields of its old state.
func (d *templateTx) move(t *models.Template, s templateStep) error {
	if !canStep(t, s) {
		return fmt.Errorf("template %d is %s: step %s is not allowed", t.ID, t.Status, s)
	}
	t.Status = templateMoves[s].to
	t.PausedUntil, t.RejectedReason = nil, "NONE"
	return nil
}

// save stores a changed template.
func (d *templateTx) save(ctx context.Context, t *models.Template) error {
	if err := writes.TemplateUpdate(ctx, d.tx, *t); err != nil {
		return fmt.Errorf("storing template %d: %w", t.ID, err)
	}
	if t.Status != "DELETED" {
		return nil
	}
	return removeUpstream(ctx, d.tx, d.jobs, t.ID)
}

// templateSubject identifies a template in a callback.
type templateSubject struct {
	ID       int64  `json:"message_template_id"`
	Name     string `json:"message_template_name"`
	Language string `json:"message_template_language"`
}

type statusChange struct {
	Event string `json:"event"`
	templateSubject
	Category    string            `json:"message_template_category"`
	Reason      string            `json:"reason"`
	DisableInfo map[string]int64  `json:"disable_info,omitempty"`
	OtherInfo   map[string]string `json:"other_info,omitempty"`
}

type qualityChange struct {
	Previous string `json:"previous_quality_score"`
	New      string `json:"new_quality_score"`
	templateSubject
}

type categoryChange struct {
	templateSubject
	Previous string `json:"previous_category"`
	New      string `json:"new_category"`
}

func subjectOf(t *models.Template) templateSubject { return templateSubject{t.ID, t.Name, t.Language} }

// relayStatus relays a change of status to every number of the account. info is
// set for a pause.
func (d *templateTx) relayStatus(ctx context.Context, t *models.Template, event string, info map[string]string) error {
	change := statusChange{Event: event, templateSubject: subjectOf(t), Category: t.Category, Reason: t.RejectedReason, OtherInfo: info}
	if event == "DISABLED" {
		change.DisableInfo = map[string]int64{"disable_date": d.now.Unix()}
	}
	return d.relay(ctx, t, "message_template_status_update", "template."+strings.ToLower(event), change)
}

func (d *templateTx) relay(ctx context.Context, t *models.Template, field, event string, value any) error {
	body := callback.New(d.product, t.BusinessAccountID, field, value)
	body.Entry[0].Time = d.now.Unix()
	return callback.RelayToAccount(ctx, d.tx, d.jobs, t.BusinessAccountID, relay.Event{Kind: event, Body: body})
}

// setQuality changes the quality of a template and relays it.
func (d *templateTx) setQuality(ctx context.Context, t *models.Template, quality string) error {
	if t.Quality == quality {
		return nil
	}
	change := qualityChange{t.Quality, quality, subjectOf(t)}
	t.Quality, t.QualityAt = quality, &d.now
	return d.relay(ctx, t, "message_template_quality_update", "template.quality", change)
}

// pauseDurations is how long a template of low quality is paused the first and
// the second time. The third time it is disabled.
var pauseDurations = []time.Duration{3 * time.Hour, 6 * time.Hour}

// pauseOrDisable pauses an approved template for low quality, or disables it.
func (d *templateTx) pauseOrDisable(ctx context.Context, t *models.Template) error {
	if err := d.setQuality(ctx, t, "RED"); err != nil {
		return err
	}
	if t.Pauses >= len(pauseDurations) {
		if err := d.move(t, stepDisable); err != nil {
			return err
		}
		return d.relayStatus(ctx, t, "DISABLED", nil)
	}
	if err := d.move(t, stepPause); err != nil {
		return err
	}
	until := d.now.Add(pauseDurations[t.Pauses])
	t.PausedUntil = &until
	t.Pauses++
	return d.relayStatus(ctx, t, "PAUSED", map[string]string{
		"title":       []string{"FIRST_PAUSE", "SECOND_PAUSE"}[t.Pauses-1],
		"description": "The template has a low quality rating. It can be sent again in " + strconv.Itoa(int(pauseDurations[t.Pauses-1].Hours())) + " hours.",
	})
}
