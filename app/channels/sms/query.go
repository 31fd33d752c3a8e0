package sms

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/pipeline"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// ReportResponse is the answer to a query for the report of a message.
type ReportResponse struct {
	RequestTime string   `json:"req_time"` // Indian time
	Status      Status   `json:"status"`
	Report      *Report  `json:"report,omitempty"` // the whole message
	Parts       []Report `json:"parts,omitempty"`  // of a message of several parts, those that an operator has
}

// Report returns the state of a message of an organisation.
func (s *Service) Report(ctx context.Context, organisationID int64, messageID string) (r ReportResponse, err error) {
	r.RequestTime = LocalTime(s.Now())
	unknown := refuse(CodeReportingKey, "")
	r.Status = Status{Code: unknown.Code, Desc: unknown.Error()}
	id, ok := ParseMessageID(messageID)
	if !ok {
		return r, nil
	}
	m, err := queries.SMSStateGet(ctx, s.Pool, organisationID, id)
	if err != nil {
		return r, db.Absent(err, nil, "reading SMS %s", id)
	}
	r.Status = Status{Code: CodeAccepted, Desc: CodeAccepted.Meaning()}
	if r.Report, err = stateReport(m.Message, m.State, m.Failure, m.UpdatedAt); err != nil || m.Parts < 2 {
		return r, err
	}
	carriages, err := queries.CarriageList(ctx, s.Pool, []uuid.UUID{id})
	if err != nil {
		return r, fmt.Errorf("reading the parts of SMS %s: %w", id, err)
	}
	for _, c := range carriages {
		part, err := stateReport(m.Message, c.State, c.Failure, c.UpdatedAt)
		if err != nil {
			return r, err
		}
		part.Part = c.Part
		r.Parts = append(r.Parts, *part)
	}
	return r, nil
}

// stateReport returns the report about a message or its part as it stands.
func stateReport(m models.Message, state string, failure json.RawMessage, updated time.Time) (*Report, error) {
	var f *pipeline.Failure
	if len(failure) > 0 {
		f = &pipeline.Failure{}
		if err := json.Unmarshal(failure, f); err != nil {
			return nil, fmt.Errorf("reading the failure of SMS %s: %w", m.ID, err)
		}
	}
	r, err := newReport(m, state, f)
	if err != nil {
		return nil, err
	}
	if isFinal(state) {
		r.DoneTime = LocalTime(updated)
	}
	r.Status = cmp.Or(r.Status, "SUBMITTED")
	if state == pipeline.Accepted && m.ScheduledAt != nil && m.ScheduledAt.After(time.Now()) {
		r.Status, r.Desc = "SCHEDULED", "Waits for "+LocalTime(*m.ScheduledAt)
	}
	return &r, nil
}
