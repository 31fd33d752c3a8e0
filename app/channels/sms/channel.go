package sms

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/relay"
	"heliograph/db/models"
)

// The states of a message.
const (
	stateSent        = "sent"    // an operator has it
	stateEnroute     = "enroute" // the operator is trying
	stateDelivered   = "delivered"
	stateUndelivered = "undelivered"
	stateExpired     = "expired"
	stateRejected    = "rejected"
	stateUnknown     = "unknown"
)

// stateWords holds the words of delivery reports, as in SMPP 3.4. States without a
// word are not reported.
var stateWords = map[string]string{
	pipeline.Accepted: "ACCEPTD", stateEnroute: "ENROUTE", stateDelivered: "DELIVRD", stateUndelivered: "UNDELIV", stateExpired: "EXPIRED", stateRejected: "REJECTD", stateUnknown: "UNKNOWN",
}

// reportGrace is how long the report of an operator is awaited after the expiry of a
// message. An operator that delivered in time may report it a little later.
const reportGrace = 2 * time.Minute

// Declaration is the channel as the pipeline knows it.
var Declaration = declare()

func declare() *pipeline.Channel {
	open := []string{pipeline.Accepted, stateSent, stateEnroute}
	return &pipeline.Channel{
		Name: Channel, Life: defaultExpiry * 1e9,
		Follows: map[string][]string{
			stateSent: {pipeline.Accepted}, stateEnroute: {pipeline.Accepted, stateSent},
			stateDelivered: open, stateUndelivered: open, stateExpired: open, stateRejected: open, stateUnknown: open,
		},
		Failures:  []string{stateUndelivered, stateExpired, stateRejected, stateUnknown},
		MessageID: MessageID, ParseMessageID: ParseMessageID, SimulateReply: simulateReply,
		ExpiresSent: true, UsualTTL: defaultExpiry, Grace: reportGrace,
		Open: openCode, Parts: parts, Refusal: refusal, Expired: expired, Callbacks: callbacks, Payload: shown, Remedy: remedy, Reference: "sms/1.0",
		Suppressed: suppressed, ReadReport: readCarrierReport, Receive: receiveFromCarrier,
		Relay: relay.Protocol{Schedule: relay.Day, Render: renderReport, Signature: "X-Signature-256"},
	}
}

// parts returns the parts of a message as carriers get them.
func parts(m models.Message) ([]pipeline.Part, error) {
	p, err := readPayload(m)
	if err != nil {
		return nil, err
	}
	split, err := p.split(m)
	if err != nil {
		return nil, err
	}
	out := make([]pipeline.Part, len(split))
	for i, part := range split {
		body, err := json.Marshal(p.outgoing(part))
		if err != nil {
			return nil, fmt.Errorf("writing part %d of SMS %s: %w", i+1, m.ID, err)
		}
		out[i] = pipeline.Part{Number: i + 1, Payload: body}
	}
	return out, nil
}

func refusal(r pipeline.Refusal) (state string, f pipeline.Failure) {
	f = pipeline.Failure{Code: r.Code, Title: ReasonMeaning(r.Code), Detail: r.Detail}
	f.Title = cmp.Or(f.Title, r.Title)
	return stateOfRefusal(r.Code), f
}

// suppressed returns the report about a message to a recipient who must not be
// contacted.
func suppressed(m models.Message, reason blocklist.Reason) (state string, f pipeline.Failure, ok bool) {
	code := reasonNoPromotion
	switch reason {
	case blocklist.Stopped:
		p, err := readPayload(m)
		ok = err != nil || p.Code == "" // one-time passwords are asked for
	case blocklist.Barred:
		code, ok = reasonBarred, true
	default:
		ok = true
	}
	return stateRejected, pipeline.Failure{Code: code, Title: ReasonMeaning(code)}, ok
}

func expired(models.Message) (state string, f pipeline.Failure) {
	return stateExpired, pipeline.Failure{Code: reasonValidity, Title: ReasonMeaning(reasonValidity)}
}

func remedy(f pipeline.Failure) string { return reasons[f.Code].remedy }

// shown returns what the log shows of a message.
func shown(m models.Message) (text string, hidden bool, err error) {
	p, err := readPayload(m)
	if err != nil {
		return "", false, err
	}
	hidden, p.Code = p.Code != "", ""
	body, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return "", false, fmt.Errorf("writing SMS %s: %w", m.ID, err)
	}
	return string(body), hidden, nil
}
