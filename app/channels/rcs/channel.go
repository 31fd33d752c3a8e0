package rcs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/relay"
	"heliograph/db/models"
)

// The states of a message as it is stored.
const (
	stateSent      = "sent"
	stateDelivered = "delivered"
	stateRead      = "read"
	stateExpired   = "expired"
)

// The statuses of a message as partners see them.
const (
	statusDelivered = "DELIVERED"
	statusRead      = "READ"
	statusFailed    = "FAILED"
	statusExpired   = "EXPIRED"
)

var statuses = map[string]string{
	pipeline.Accepted: pending, stateSent: "SENT", stateDelivered: statusDelivered, stateRead: statusRead, pipeline.Failed: statusFailed, stateExpired: statusExpired,
}

// lifeOfMessage is how long a message without a time to live is tried.
const lifeOfMessage = 15 * 24 * time.Hour

// Declaration is the channel as the pipeline knows it.
var Declaration = &pipeline.Channel{
	Name: Channel, Life: lifeOfMessage, ExpiresSent: true,
	Follows: map[string][]string{
		stateSent: {pipeline.Accepted}, stateDelivered: {pipeline.Accepted, stateSent}, stateRead: {pipeline.Accepted, stateSent, stateDelivered},
		pipeline.Failed: {pipeline.Accepted, stateSent}, stateExpired: {pipeline.Accepted, stateSent},
	},
	Failures:  []string{pipeline.Failed, stateExpired},
	MessageID: uuid.UUID.String, ParseMessageID: parseMessageID, SimulateReply: simulateReply,
	Expired: func(models.Message) (string, pipeline.Failure) {
		return stateExpired, pipeline.Failure{Code: 0, Title: "The time to live was over before the message was delivered"}
	},
	Suppressed: suppressed, FallsOver: fallsOver, Callbacks: callbacks, Payload: shown, Remedy: remedy, Reference: "rcs/1.0",
	Relay: relay.Protocol{Schedule: schedule, Render: render, Sign: sign},
}

// schedule says when relayed events are tried again: after 5, 25 and 125 seconds, then growing pauses
// of up to an hour for a day.
var schedule = relay.Schedule{
	Pauses: append([]time.Duration{5 * time.Second, 25 * time.Second, 125 * time.Second, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute},
		repeated(time.Hour, 23)...),
	Circuit: time.Minute, FinalClientErrors: true,
}

func repeated(d time.Duration, n int) []time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = d
	}
	return all
}

// The errors of messages that are treated in a way of their own.
const (
	codeIncapable    = 404
	codeOptedOut     = 410
	codeDoNotDisturb = 423
)

// The errors of messages.
var errorNames = map[int]string{
	402: "insufficient_balance", 403: "curfew_hrs", codeIncapable: "rcs_disabled", 409: "invalid_template", codeOptedOut: "opted_out",
	codeDoNotDisturb: "dnd_enabled", 429: "rate_limit",
}

// remedies say what a sender can do about an error.
var remedies = map[int]string{
	402: "Top the account up, then send again.",
	403: "Send promotional messages within the hours that the country allows.",
	404: "The phone cannot receive RCS. Name a fallback, or use another channel.",
	409: "Wait until the template is approved, or correct it.",
	410: "The recipient has opted out. Do not send to this number.",
	423: "The recipient is on the do-not-disturb list. Send transactional messages only.",
	429: "Send more slowly to this recipient or network.",
}

func remedy(f pipeline.Failure) string {
	if f.Code == 0 {
		return "The phone was not reached in time. Set a longer ttl, or name a fallback."
	}
	return remedies[f.Code]
}

// callbacks makes the events about changes of messages.
func callbacks(_ context.Context, _ pgx.Tx, changes []pipeline.Change) (events []relay.Event, err error) {
	for _, change := range changes {
		if change.Step.Part != 0 {
			continue
		}
		status, channel := statusOf(change.Message, change.Step.State)
		if status == "" {
			continue
		}
		e := newEvent(change.Sender, typeMessageStatus, change.At)
		e.MessageID, e.UserContact, e.Status, e.Channel = change.Reference, "+"+change.Recipient, status, channel
		e.Error = errorOf(change.Step.Failure)
		id := change.ID
		events = append(events, relay.Event{WebhookID: change.WebhookID, Failing: change.WebhookFailing, Kind: e.logKind(), MessageID: &id, Body: e})
	}
	return events, nil
}

// errorOf returns the error of a failure; nil for one that has no code.
func errorOf(f *pipeline.Failure) *messageError {
	if f == nil || f.Code == 0 {
		return nil
	}
	name := errorNames[f.Code]
	name = cmp.Or(name, f.Title)
	return &messageError{Code: f.Code, Message: name}
}

// payload is what is stored of a message.
type payload struct {
	Content   json.RawMessage `json:"contentMessage"`
	Traffic   string          `json:"messageTrafficType,omitempty"`
	ClientRef string          `json:"clientRef,omitempty"`
	Template  string          `json:"templateName,omitempty"`
	After     string          `json:"after,omitempty"` // the failure that the fallback follows
	// Promotional tells that the fallback does not follow a do-not-disturb list.
	Promotional bool `json:"promotional,omitempty"`
}

// shown returns what the log shows of a message.
func shown(m models.Message) (text string, hidden bool, err error) {
	var p any
	if err := json.Unmarshal(m.Payload, &p); err != nil {
		return "", false, fmt.Errorf("reading message %s: %w", m.ID, err)
	}
	body, err := json.MarshalIndent(p, "", "  ")
	return string(body), false, err
}
