package sms

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/delivery"
	"heliograph/db/models"
)

// Follows lists what can happen to the message, each with the report about it. A message
// of several parts has the report about its first part, and the one about all of them
// where the result is final.
func (t RehearsedText) Follows(now time.Time) (list []delivery.Following, err error) {
	add := func(id, label, kind, state string, failure *delivery.Failure) error {
		steps := []delivery.Step{{State: state, Failure: failure}}
		if t.Message.Parts > 1 {
			steps = append([]delivery.Step{{State: state, Failure: failure, Part: 1}}, steps...)
		}
		following := delivery.Following{ID: id, Label: label, Kind: kind}
		for _, step := range steps {
			events, err := callbacks(context.Background(), nil, []delivery.Change{{Moved: models.Moved{Message: t.Message, At: now}, Step: step}})
			if err != nil {
				return err
			}
			for _, e := range events {
				following.Events = append(following.Events, e.Body)
			}
		}
		list = append(list, following)
		return nil
	}
	states := []struct{ state, label string }{{delivery.Accepted, "Accepted"}, {stateEnroute, "The operator is trying"}, {stateDelivered, "Delivered"}}
	for _, s := range states {
		if err := add(s.state, s.label, delivery.FollowsState, s.state, nil); err != nil {
			return nil, err
		}
	}
	for _, code := range slices.Sorted(maps.Keys(reasons)) {
		if code == reasonDelivered || code == reasonPending {
			continue
		}
		failure := &delivery.Failure{Code: code, Title: ReasonMeaning(code)}
		if err := add("failed-"+threeDigits(code), fmt.Sprintf("%03d: %s", code, failure.Title), delivery.FollowsFailure, stateOfRefusal(code), failure); err != nil {
			return nil, err
		}
	}
	if writer.MatchString(t.Header) { // words cannot be answered
		in := Inbound{Event: eventInbound, ID: MessageID(uuid.NewSHA1(t.Message.ID, []byte("answer"))), From: t.Recipient, To: t.Header, Text: "Thank you.", Time: LocalTime(now)}
		list = append(list, delivery.Following{ID: "answer-0", Label: "Writes \"Thank you.\"", Kind: delivery.FollowsAnswer, Events: []any{in}})
	}
	return list, nil
}
