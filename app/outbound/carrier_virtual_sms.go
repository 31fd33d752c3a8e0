package outbound

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// The states of SMS that other channels do not have.
const (
	stateEnroute     State = "enroute"
	stateUndelivered State = "undelivered"
	stateUnknown     State = "unknown"
)

// sendSMS plays an operator. It refuses a part if the text does not match its
// registration, with the fault that the payload names. The last four digits of the
// recipient select what else happens:
//
//	0001   refused with 613, unknown subscriber
//	0002   refused with 631, do-not-disturb
//	0003   submitted, and no report follows until the message expires
//	0004   on its way, then undelivered with 607, absent
//	0005   on its way, then delivered 10 s later
//	0006   temporary failure on the first two attempts, then like others
//	0007   submitted, then unknown with 699
//	0008   delivered at once, then the recipient replies
//	other  delivered at once
func (v *Virtual) sendSMS(m Message) (Receipt, error) {
	var part struct{ Fault string }
	if err := json.Unmarshal(m.Payload, &part); err != nil {
		return Receipt{}, fmt.Errorf("reading the payload of %s: %w", m.ID, err)
	}
	if code, err := strconv.Atoi(part.Fault); err == nil {
		return Receipt{}, &CarrierError{Code: code, Title: "Refused by the DLT registry"}
	}
	switch lastDigits(m.Recipient) {
	case "0001":
		return Receipt{}, &CarrierError{Code: 613, Title: "Unknown subscriber"}
	case "0002":
		return Receipt{}, &CarrierError{Code: 631, Title: "Do-not-disturb"}
	case "0006":
		if m.Attempt <= 2 {
			return Receipt{}, &CarrierError{Code: 602, Title: "Busy", Temporary: true}
		}
	}
	return Receipt{ProviderID: "virtual-" + m.ID, State: Sent}, nil
}

// nextSMS returns the report that follows a state of an SMS.
func nextSMS(recipient string, after State) (Forecast, bool) {
	end := lastDigits(recipient)
	switch {
	case after == Sent && end == "0003":
		return Forecast{}, false
	case after == Sent && (end == "0004" || end == "0005"):
		return Forecast{State: stateEnroute}, true
	case after == Sent && end == "0007":
		return Forecast{State: stateUnknown, Error: &CarrierError{Code: 699, Title: "Unknown"}}, true
	case after == Sent:
		return Forecast{State: Delivered}, true
	case after == Delivered && end == "0008":
		return Forecast{State: Replied}, true
	case after == stateEnroute && end == "0004":
		return Forecast{State: stateUndelivered, Error: &CarrierError{Code: 607, Title: "The phone is switched off or out of reach"}}, true
	case after == stateEnroute && end == "0005":
		return Forecast{State: Delivered, Delay: 10 * time.Second}, true
	}
	return Forecast{}, false
}
