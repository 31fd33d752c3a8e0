package sms

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/relay"
	"heliograph/db/models"
)

// Report is a delivery report. Times are Indian.
type Report struct {
	RequestID  string `json:"req_id"`
	ID         string `json:"msg_id"`
	Reference  string `json:"cust_ref,omitempty"`
	Dest       string `json:"dest"`
	Header     string `json:"header"`
	Status     string `json:"status"`
	Code       string `json:"code"`
	Desc       string `json:"desc"`
	Err        string `json:"err"` // of the operator; 000 for none
	Parts      int    `json:"parts"`
	Part       int    `json:"part_no,omitempty"` // absent in the report about all parts of a message
	SubmitTime string `json:"submit_time"`
	DoneTime   string `json:"done_time,omitempty"` // absent until the state is final
	MCCMNC     string `json:"mccmnc,omitempty"`
	EntityID   string `json:"dlt_entity_id,omitempty"`
	TemplateID string `json:"dlt_template_id,omitempty"`
}

// callbacks makes the reports about changes: one for each part, and one more for a
// message of several parts once its result is final.
func callbacks(_ context.Context, _ pgx.Tx, changes []pipeline.Change) (events []relay.Event, err error) {
	for _, change := range changes {
		step, several := change.Step, change.Parts > 1
		if stateWords[step.State] == "" || several && step.Part == 0 && !isFinal(step.State) {
			continue
		}
		report, err := newReport(change.Message, step.State, step.Failure)
		if err != nil {
			return nil, err
		}
		report.Part = step.Part
		if !several {
			report.Part = 1
		}
		if isFinal(step.State) {
			report.DoneTime = LocalTime(change.At)
		}
		events = append(events, relay.Event{
			WebhookID: change.WebhookID, Failing: change.WebhookFailing, Kind: "sms." + step.State, MessageID: &change.ID, Body: report,
		})
	}
	return events, nil
}

// isFinal reports whether no state follows.
func isFinal(state string) bool {
	switch state {
	case stateDelivered, stateUndelivered, stateExpired, stateRejected, stateUnknown:
		return true
	}
	return false
}

// newReport returns the report about a message or its part in a state.
func newReport(m models.Message, state string, f *pipeline.Failure) (Report, error) {
	p, err := readPayload(m)
	if err != nil {
		return Report{}, err
	}
	code := reasonPending
	switch state {
	case stateDelivered:
		code = reasonDelivered
	case stateUndelivered:
		code = reasonUndelivered
	case stateExpired:
		code = reasonValidity
	case stateUnknown:
		code = reasonUnknown
	case stateRejected:
		code = 642
	}
	r := Report{
		RequestID: p.RequestID, ID: MessageID(m.ID), Reference: m.Reference, Dest: m.Recipient, Header: p.Header,
		Status: stateWords[state], Code: threeDigits(code), Desc: ReasonMeaning(code), Err: "000", Parts: max(m.Parts, 1),
		SubmitTime: LocalTime(m.CreatedAt), EntityID: p.EntityID, TemplateID: p.TemplateID,
	}
	if f != nil {
		r.Code, r.Err, r.Desc = threeDigits(f.Code), threeDigits(f.Code), f.Title
	}
	if state == pipeline.Accepted || state == stateSent {
		r.Code, r.Desc = "400", "Taken by the platform"
	}
	return r, nil
}

// placeholder is a field of a report in an address, between percent signs.
var placeholder = regexp.MustCompile(`%([a-z_]{3,20})%`)

// hasPlaceholders reports whether an address is called with GET, with the fields
// of a report in place of its placeholders.
func hasPlaceholders(address string) bool {
	fields, inbound := Report{}.fields(), Inbound{}.fields()
	for _, m := range placeholder.FindAllStringSubmatch(address, -1) {
		_, known := fields[m[1]]
		if _, received := inbound[m[1]]; known || received {
			return true
		}
	}
	return false
}

// renderReport returns the request for a report: JSON by POST, or GET for an
// address with placeholders.
func renderReport(d models.Delivery) (relay.Request, error) {
	if !hasPlaceholders(d.Webhook.URL) {
		return relay.Request{Method: http.MethodPost, URL: d.Webhook.URL, Body: d.Body}, nil
	}
	var report Report
	var received Inbound
	for _, event := range []any{&report, &received} {
		if err := json.Unmarshal(d.Body, event); err != nil {
			return relay.Request{}, fmt.Errorf("reading report %d: %w", d.ID, err)
		}
	}
	// Both have msg_id. Other placeholders of the other event are empty.
	fields := received.fields()
	maps.Copy(fields, report.fields())
	address := placeholder.ReplaceAllStringFunc(d.Webhook.URL, func(match string) string {
		value, known := fields[match[1:len(match)-1]]
		if !known {
			return match
		}
		return url.QueryEscape(value)
	})
	return relay.Request{Method: http.MethodGet, URL: address}, nil
}

// fields returns the values of a report by their names.
func (r Report) fields() map[string]string {
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	return map[string]string{
		"req_id": r.RequestID, "msg_id": r.ID, "cust_ref": r.Reference, "dest": r.Dest, "header": r.Header, "status": r.Status, "code": r.Code,
		"desc": r.Desc, "err": r.Err, "parts": number(r.Parts), "part_no": number(r.Part), "submit_time": r.SubmitTime, "done_time": r.DoneTime,
		"mccmnc": r.MCCMNC, "dlt_entity_id": r.EntityID, "dlt_template_id": r.TemplateID,
	}
}
