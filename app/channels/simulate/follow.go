package simulate

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/relay"
	"heliograph/db/models"
)

// Secret signs the callbacks of the simulators. It is public and belongs to nobody, so
// that a receiver can be tested with it.
var Secret = "whsec_" + base64.StdEncoding.EncodeToString([]byte("heliograph-demonstration"))

// Signer returns the headers of a callback as they are sent.
type Signer interface {
	Headers(Sending) (http.Header, error)
}

// Sending is a callback that is about to be sent.
type Sending struct {
	ID        string
	At        time.Time
	Request   relay.Request
	Secret    string
	Previous  string            // signs as well while a secret is rotated; empty for none
	Signature string            // header of the signature of the body, empty for the usual one
	Signed    map[string]string // headers of a signature that the channel has made
}

// Callback is what relay would send about a message.
type Callback struct {
	Form    string // the transform
	Request relay.Request
	Header  http.Header
}

// Pretty returns the body, indented for reading. It is empty for a query.
func (c Callback) Pretty() string {
	var body json.RawMessage = c.Request.Body
	if len(body) == 0 {
		return ""
	}
	return pretty(body)
}

// CURL returns a command that sends the callback byte for byte, with its headers.
func (c Callback) CURL() string {
	lines := []string{"curl -X " + c.Request.Method + " " + quoted(c.Request.URL)}
	for _, name := range slices.Sorted(maps.Keys(c.Header)) {
		lines = append(lines, "-H "+quoted(name+": "+c.Header.Get(name)))
	}
	if len(c.Request.Body) > 0 {
		lines = append(lines, "--data-binary "+quoted(string(c.Request.Body)))
	}
	return strings.Join(lines, " \\\n  ")
}

// quoted writes a word of a shell command.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// receiver is the address of a partner in callbacks.
const receiver = "https://partner.example.com/callbacks"

// The placeholders of an address for reports, and of one for received messages.
const (
	reportQuery  = "?id=%msg_id%&part=%part_no%&dest=%dest%&status=%status%&code=%code%&err=%err%"
	inboundQuery = "?id=%msg_id%&from=%from%&to=%to%&text=%text%"
)

// form is a form in which events of a channel are relayed, for a kind of them.
type form struct{ label, word, url string }

// forms returns the forms of a channel.
func forms(channel *pipeline.Channel, kind string) (list []form) {
	switch channel.Name {
	case "rcs":
		for _, word := range rcs.Forms {
			list = append(list, form{word, word, receiver})
		}
		return list
	case "sms":
		query := reportQuery
		if kind == pipeline.FollowsAnswer {
			query = inboundQuery
		}
		return []form{{"JSON", "", receiver}, {"Query, for an address with placeholders", "", receiver + query}}
	}
	return []form{{"JSON", "", receiver}}
}

// deliveryID is the id of the callbacks of the simulators, where none is given.
const deliveryID int64 = 13208160

// Callbacks returns the callbacks about something that follows, in each form of the
// channel. They are made and signed as relay does, and sent nowhere.
func (s *Simulator) Callbacks(channel *pipeline.Channel, following pipeline.Following) (list []Callback, err error) {
	for _, f := range forms(channel, following.Kind) {
		for i, event := range following.Events {
			body, err := json.Marshal(event)
			if err != nil {
				return nil, fmt.Errorf("writing a callback: %w", err)
			}
			id := deliveryID + int64(i)
			if s.FirstID != 0 {
				id = s.FirstID + int64(len(list))
			}
			d := models.Delivery{ID: id, Body: body, Webhook: models.Webhook{Channel: channel.Name, URL: f.url, Format: f.word}}
			c := Callback{Form: f.label}
			if len(following.Events) > 1 {
				c.Form += []string{", the first part", ", all parts"}[min(i, 1)]
			}
			if c.Request, err = channel.Relay.NewRequest(d); err != nil {
				return nil, fmt.Errorf("rendering a callback: %w", err)
			}
			sending := Sending{ID: strconv.FormatInt(d.ID, 10), At: s.Now(), Request: c.Request, Secret: Secret, Signature: channel.Relay.Signature}
			if channel.Relay.Sign != nil {
				if sending.Signed, err = channel.Relay.Sign(Secret, d, c.Request); err != nil {
					return nil, fmt.Errorf("signing a callback: %w", err)
				}
			}
			if c.Header, err = s.Signer.Headers(sending); err != nil {
				return nil, fmt.Errorf("signing a callback: %w", err)
			}
			list = append(list, c)
		}
	}
	return list, nil
}
