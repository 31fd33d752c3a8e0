package rcs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"heliograph/app/channels/pipeline"
	"heliograph/db/models"
)

// Forms lists the forms in which events can be relayed.
var Forms = []string{formDefault, formGoogle, formMaap}

// Follows lists what can happen to the message, each with the event about it.
func (m RehearsedMessage) Follows(now time.Time) (list []pipeline.Following, err error) {
	add := func(id, label, kind string, moved models.Message, step pipeline.Step) error {
		events, err := callbacks(context.Background(), nil, []pipeline.Change{{Moved: models.Moved{Message: moved, At: now}, Step: step}})
		if err != nil {
			return err
		}
		following := pipeline.Following{ID: id, Label: label, Kind: kind}
		for _, e := range events {
			following.Events = append(following.Events, e.Body)
		}
		list = append(list, following)
		return nil
	}
	states := []struct{ state, label string }{{stateSent, "Sent"}, {stateDelivered, "Delivered"}, {stateRead, "Read"}, {stateExpired, "Expired: the time to live was over"}}
	for _, s := range states {
		if err := add(s.state, s.label, pipeline.FollowsState, m.Message, pipeline.Step{State: s.state}); err != nil {
			return nil, err
		}
	}
	for _, channel := range m.fallbackChannels() {
		later := m.Message
		later.Leg, later.Legs = 2, []models.Leg{{Channel: channel}}
		if err := add("fallback", "Sent by the fallback", pipeline.FollowsState, later, pipeline.Step{State: stateSent, Leg: 2}); err != nil {
			return nil, err
		}
	}
	for _, code := range slices.Sorted(maps.Keys(errorNames)) {
		failure := &pipeline.Failure{Code: code, Title: errorNames[code]}
		if err := add("failed-"+strconv.Itoa(code), fmt.Sprintf("%d: %s", code, errorNames[code]), pipeline.FollowsFailure, m.Message, pipeline.Step{State: pipeline.Failed, Failure: failure}); err != nil {
			return nil, err
		}
	}
	answer := func(label string, change func(*event)) {
		e := newInbound(m.Message.Sender, m.Message.Recipient, typeUserMessage, now)
		change(&e)
		list = append(list, pipeline.Following{ID: "answer-" + strconv.Itoa(len(list)), Label: label, Kind: pipeline.FollowsAnswer, Events: []any{e}})
	}
	answer("Types", func(e *event) { e.Type, e.MessageID = typeTyping, "" })
	answer("Writes \"Thank you.\"", func(e *event) { e.Text = "Thank you." })
	answer("Shares a location", func(e *event) { e.Location = &location{Latitude: 18.52, Longitude: 73.85} })
	for _, t := range tapsOf(m.Content) {
		answer("Taps "+t.DisplayText, func(e *event) { e.tap(t) })
	}
	return list, nil
}

// fallbackChannels returns the channel of the fallback, if there is one.
func (m RehearsedMessage) fallbackChannels() []string {
	switch {
	case m.Fallback != nil:
		return []string{"sms"}
	case m.FallbackTemplate != nil:
		return []string{"messaging"}
	}
	return nil
}
