package outbound

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Virtual is a carrier that simulates delivery. It is deterministic and has no
// state, so that every process gives the same result. The last four digits of
// the recipient select what happens:
//
//	0001   fails with 131026, message undeliverable
//	0002   fails with 131049, not delivered to keep the channel healthy
//	0003   sent, never delivered
//	0004   sent and delivered, never read
//	0005   sent, delivered 10 s later, read 20 s after it was sent
//	0006   temporary failure on the first two attempts, then like others
//	0008   sent, delivered and read, then answered by the recipient
//	0009   like 0008, and the answer comes under a user id without a number
//	0010   sent, delivered and read, then the user id of the recipient changes
//	other  sent, delivered and read at once
//
// SMS and RCS have endings of their own: see sendSMS and sendRCS.
type Virtual struct {
	mu  sync.Mutex
	log io.Writer
}

// NewVirtual returns a virtual carrier. If log is not nil, each call of Send
// appends one line to it, "<RFC 3339 time> <message id>\n", in one write, so that
// processes can share a file opened for appending. An id occurs once for each
// time that the message was handed over.
func NewVirtual(log io.Writer) *Virtual { return &Virtual{log: log} }

// Traits returns the traits of the carrier. It accepts a message twice, as one.
func (v *Virtual) Traits() Traits { return Traits{Name: "virtual", Idempotent: true} }

// Send accepts m or fails, depending on its recipient. The error is not a
// *CarrierError if ctx has ended or the call log cannot be written.
func (v *Virtual) Send(ctx context.Context, m Message) (Receipt, error) {
	if err := ctx.Err(); err != nil {
		return Receipt{}, fmt.Errorf("handing %s to the virtual carrier: %w", m.ID, err)
	}
	if err := v.record(m.ID); err != nil {
		return Receipt{}, fmt.Errorf("recording a virtual carrier call: %w", err)
	}
	switch m.Channel {
	case "sms":
		return v.sendSMS(m)
	case "rcs":
		return v.sendRCS(m)
	}
	switch lastDigits(m.Recipient) {
	case "0001":
		return Receipt{}, &CarrierError{Code: 131026, Title: "Message undeliverable"}
	case "0002":
		return Receipt{}, &CarrierError{Code: 131049, Title: "Message not delivered to keep the channel healthy"}
	case "0006":
		if m.Attempt <= 2 {
			return Receipt{}, &CarrierError{Code: 131016, Title: "Service unavailable", Temporary: true}
		}
	}
	return Receipt{ProviderID: "virtual-" + m.ID, State: Sent}, nil
}

// Next returns delivered after sent, read after delivered and, for a recipient
// that answers, replied after read. The recipient determines the last event and
// the delays.
func (v *Virtual) Next(channel, recipient string, after State) (Forecast, bool) {
	switch channel {
	case "sms":
		return nextSMS(recipient, after)
	case "rcs":
		return nextRCS(recipient, after)
	}
	end, delay := lastDigits(recipient), time.Duration(0)
	if end == "0005" {
		delay = 10 * time.Second
	}
	switch {
	case after == Sent && end != "0003":
		return Forecast{State: Delivered, Delay: delay}, true
	case after == Delivered && end != "0004":
		return Forecast{State: Read, Delay: delay}, true
	case after == Read && (end == "0008" || end == "0009" || end == "0010"):
		return Forecast{State: Replied}, true
	}
	return Forecast{}, false
}

func (v *Virtual) record(id string) error {
	if v.log == nil {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	_, err := fmt.Fprintf(v.log, "%s %s\n", time.Now().UTC().Format(time.RFC3339Nano), id)
	return err
}

// lastDigits returns the last four digits of a phone number and ignores other
// characters.
func lastDigits(recipient string) string {
	digits := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, recipient)
	return digits[max(0, len(digits)-4):]
}
