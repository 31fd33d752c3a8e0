package sms

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/pipeline"
	"heliograph/db/models"
)

// Follows lists what can happen to the message, each with the report about it. A message
// of several parts has the report about its first part, and the one about all of them
// where the result is final.
func (t RehearsedText) Follows(now time.Time) (list []pipeline.Following, err error) {
	add := func(id, label, kind, state string, failure *pipeline.Failure) error {
		steps := []pipeline.Step{{State: state, Failure: failure}}
		if t.Message.Parts > 1 {
			steps = append([]pipeline.Step{{State: state, Failure: failure, Part: 1}}, steps...)
		}
		following := pipeline.Following{ID: id, Label: label, Kind: kind}
		for _, step := range steps {
			events, err := callbacks(context.Background(), nil, []pipeline.Change{{Moved: models.Moved{Message: t.Message, At: now}, Step: step}})
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
	states := []struct{ state, label string }{{pipeline.Accepted, "Accepted"}, {stateEnroute, "The operator is trying"}, {stateDelivered, "Delivered"}}
	for _, s := range states {
		if err := add(s.state, s.label, pipeline.FollowsState, s.state, nil); err != nil {
			return nil, err
		}
	}
	for _, code := range slices.Sorted(maps.Keys(reasons)) {
		if code == reasonDelivered || code == reasonPending {
			continue
		}
		failure := &pipeline.Failure{Code: code, Title: ReasonMeaning(code)}
		if err := add("failed-"+threeDigits(code), fmt.Sprintf("%03d: %s", code, failure.Title), pipeline.FollowsFailure, stateOfRefusal(code), failure); err != nil {
			return nil, err
		}
	}
	if writer.MatchString(t.Header) { // words cannot be answered
		in := Inbound{Event: eventInbound, ID: MessageID(uuid.NewSHA1(t.Message.ID, []byte("answer"))), From: t.Recipient, To: t.Header, Text: "Thank you.", Time: LocalTime(now)}
		list = append(list, pipeline.Following{ID: "answer-0", Label: "Writes \"Thank you.\"", Kind: pipeline.FollowsAnswer, Events: []any{in}})
	}
	return list, nil
}
