package rcs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// keepStatus is how long the status of a message can be read.
const keepStatus = 30 * 24 * time.Hour

// statusReport is the status of a message and its history.
type statusReport struct {
	MessageID string        `json:"messageId"`
	To        string        `json:"to"`
	Status    string        `json:"status"`
	Timestamp string        `json:"timestamp"`
	Channel   string        `json:"channel"`
	Error     *messageError `json:"error,omitempty"`
	Events    []statusEvent `json:"events"`
}

// statusEvent is a status that a message has reached.
type statusEvent struct {
	Status    string        `json:"status"`
	Timestamp string        `json:"timestamp"`
	Channel   string        `json:"channel"`
	Error     *messageError `json:"error,omitempty"`
}

// channelWords are the channels of the legs of a message.
var channelWords = map[string]string{Channel: "RCS", "sms": fallbackSMS, "messaging": fallbackMessaging}

// statusOf returns the status of a message once its leg has reached a state; empty
// for states that partners do not see.
func statusOf(m models.Message, state string) (status, channel string) {
	leg := m.Current()
	channel = channelWords[leg.Channel]
	if leg.Channel == Channel {
		return statuses[state], channel
	}
	switch state {
	case stateSent:
		return "FALLBACK_SENT", channel
	case stateDelivered:
		return statusDelivered, channel
	case stateRead:
		return statusRead, channel
	case stateExpired:
		return statusExpired, channel
	case pipeline.Failed, "undelivered", "rejected", "unknown":
		return statusFailed, channel
	}
	return "", channel
}

// MessageStatus returns the status of a message of a bot.
func (s *Sender) MessageStatus(ctx context.Context, organisationID int64, botID, messageID string) (statusReport, error) {
	if _, err := findBot(ctx, s.pool, organisationID, botID); err != nil {
		return statusReport{}, err
	}
	unknown := fault.New(fault.NotFound, "The bot sent no message %s", messageID)
	c := &check{}
	if messageIDRule(c, "message_id", messageID); len(c.fields) > 0 {
		return statusReport{}, unknown
	}
	used, err := queries.RCSMessageIDList(ctx, s.pool, botID, []string{messageID})
	if err != nil {
		return statusReport{}, fmt.Errorf("looking for message %s: %w", messageID, err)
	}
	id, ok := parseMessageID(messageID)
	if len(used) == 1 {
		id, ok = used[0].ID, true
	}
	if !ok {
		return statusReport{}, unknown
	}
	m, err := queries.MessageGetLogged(ctx, s.pool, organisationID, id)
	if err != nil && !db.IsNoRows(err) {
		return statusReport{}, fmt.Errorf("reading message %s: %w", id, err)
	}
	if err != nil || m.Channel != Channel || m.Sender != botID || m.Reference != messageID || s.now().Sub(m.CreatedAt) > keepStatus {
		return statusReport{}, unknown
	}
	return newStatusReport(m), nil
}

func newStatusReport(m models.LoggedMessage) statusReport {
	r := statusReport{MessageID: m.Reference, To: "+" + m.Recipient}
	r.add(pending, channelWords[Channel], m.CreatedAt)
	for _, e := range m.Events {
		if status, channel := statusOf(m.OnLeg(e.Leg), e.State); status != "" && e.State != pipeline.Accepted {
			r.add(status, channel, e.OccurredAt)
			r.Error = storedError(e.Failure)
			r.Events[len(r.Events)-1].Error = r.Error
		}
	}
	return r
}

func (r *statusReport) add(status, channel string, at time.Time) {
	r.Status, r.Channel, r.Timestamp = status, channel, eventTime(at)
	r.Events = append(r.Events, statusEvent{Status: status, Timestamp: r.Timestamp, Channel: channel})
}

// storedError returns the error of a stored failure.
func storedError(raw json.RawMessage) *messageError {
	var f pipeline.Failure
	if len(raw) == 0 || json.Unmarshal(raw, &f) != nil {
		return nil
	}
	return errorOf(&f)
}

// parseMessageID returns the message that an id of ours names.
func parseMessageID(text string) (uuid.UUID, bool) {
	id, err := uuid.Parse(text)
	return id, err == nil && len(text) == 36
}
