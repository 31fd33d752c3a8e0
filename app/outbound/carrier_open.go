package outbound

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// CarrierSettings are the settings of a carrier that an operator set up.
type CarrierSettings struct {
	Name     string // unique
	Kind     string // one of CarrierKinds
	URL      string
	Settings json.RawMessage // in the kind's own form
	Secret   string          // key or password; may be empty
	// Report returns the address that the carrier reports a message to; nil if it
	// need not report.
	Report func(Message) string
	// Files moves files to and from the carrier; nil takes the client of everything else.
	Files *Client
	// Library knows what the carrier calls our messages and files; nil for nothing.
	Library library
}

// carrierKinds maps the kinds of carriers to the functions that open them. Each
// function checks the settings and dials nothing.
var carrierKinds = map[string]func(*Client, CarrierSettings) (Carrier, error){}

// CarrierKinds returns the kinds of carriers that can be set up, in order.
func CarrierKinds() []string { return slices.Sorted(maps.Keys(carrierKinds)) }

// OpenCarrier returns the carrier of settings. It dials through c.
func OpenCarrier(c *Client, s CarrierSettings) (Carrier, error) {
	open := carrierKinds[s.Kind]
	if open == nil {
		return nil, fmt.Errorf("carrier %s has the unknown kind %q", s.Name, s.Kind)
	}
	carrier, err := open(c, s)
	if err != nil {
		return nil, fmt.Errorf("opening carrier %s: %w", s.Name, err)
	}
	return carrier, nil
}
