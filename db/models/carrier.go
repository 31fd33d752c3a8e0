package models

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Carrier is a carrier that an operator set up.
type Carrier struct {
	Name      string
	Kind      string
	URL       string
	Settings  json.RawMessage
	Secret    []byte // sealed; nil for none
	UpdatedAt time.Time
	// DisabledAt is when the carrier was disabled; nil for one that takes messages.
	DisabledAt *time.Time
}

// CarrierMinute counts what a carrier did in a minute.
type CarrierMinute struct {
	Carrier                 string
	Taken, Refused, Delayed int
	Error                   string // the last one, or empty
}

// CarrierHealth is what a carrier did lately.
type CarrierHealth struct {
	CarrierMinute            // in the whole window, with the last error
	PerMinute     int        // taken in the last whole minute
	ErrorAt       *time.Time // minute of the last error; nil for none
}

// CarrierRoute is the carrier of a sender. Its name is empty if no route
// matches.
type CarrierRoute struct {
	Carrier
	Sandbox bool // of the organisation: only the virtual carrier takes its messages
}

// CarrierRule routes the messages of a channel to a carrier.
type CarrierRule struct {
	Channel        string
	Sender         string // empty for every sender
	OrganisationID int64  // 0 for every organisation
	Carrier        string // name
}

// RBMAgents returns the agents of RCS Business Messaging by bot that the settings
// of a carrier name: a line each, with the ids of the bot and of its agent.
func RBMAgents(settings json.RawMessage) (map[string]string, error) {
	var s struct{ Agents string }
	if err := json.Unmarshal(settings, &s); err != nil {
		return nil, fmt.Errorf("the settings cannot be read: %w", err)
	}
	agents, bots := map[string]string{}, map[string]bool{}
	for line := range strings.Lines(s.Agents) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("the agent %q is not written as the bot id, a space and the agent id", strings.TrimSpace(line))
		}
		if agents[words[0]] != "" || bots[words[1]] {
			return nil, fmt.Errorf("the bot or the agent of %q is named twice", strings.TrimSpace(line))
		}
		agents[words[0]], bots[words[1]] = words[1], true
	}
	return agents, nil
}
