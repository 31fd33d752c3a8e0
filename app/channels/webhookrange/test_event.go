package webhookrange

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/simulate"
	"heliograph/app/fault"
)

// Kind is a kind of callback that a test event can have.
type Kind struct {
	Channel *pipeline.Channel
	// ID names the kind: the channel, and what follows a message.
	ID    string
	Label string
	event pipeline.Following
}

// Kinds lists every kind of callback that can follow the examples of the simulators,
// each once.
func Kinds(ctx context.Context, s *simulate.Simulator, declared []*pipeline.Channel) (list []Kind, err error) {
	for _, channel := range declared {
		for _, e := range simulate.Examples(channel.Name) {
			follows, err := s.Follows(ctx, channel.Name, e)
			if err != nil {
				return nil, fmt.Errorf("simulating %s %s: %w", channel.Name, e.Name, err)
			}
			for _, f := range follows {
				k := Kind{channel, channel.Name + "." + f.ID, f.Label, f}
				if f.Kind == pipeline.FollowsAnswer { // these are of the example
					k.ID = channel.Name + "." + e.Name + "." + f.ID
					k.Label = f.Label + " (" + e.Title + ")"
				}
				if !slices.ContainsFunc(list, func(had Kind) bool { return had.ID == k.ID }) {
					list = append(list, k)
				}
			}
		}
	}
	return list, nil
}

// SendTest has the range of an organisation take callbacks of a kind, in each form of
// the channel, signed with the demonstration secret.
func (s *Service) SendTest(ctx context.Context, organisationID int64, by *simulate.Simulator, kind Kind) error {
	fresh := *by
	fresh.FirstID = time.Now().UnixMilli() // no callback of the relay has such an id
	callbacks, err := fresh.Callbacks(kind.Channel, kind.event)
	if err != nil {
		return err
	}
	if len(callbacks) == 0 {
		return fault.New(fault.Invalid, "Nothing is relayed about this event.")
	}
	for i, c := range callbacks {
		if i > 0 && slices.Equal(c.Request.Body, callbacks[i-1].Request.Body) && c.Request.URL == callbacks[i-1].Request.URL {
			continue // a form that has the same bytes
		}
		u, err := url.Parse(c.Request.URL)
		if err != nil {
			return fmt.Errorf("reading the address of a test event: %w", err)
		}
		if err := s.Put(ctx, organisationID, Request{Method: c.Request.Method, Query: u.RawQuery, Header: c.Header, Body: c.Request.Body}); err != nil {
			return err
		}
	}
	return nil
}
