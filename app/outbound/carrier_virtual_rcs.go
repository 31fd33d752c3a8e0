package outbound

import "time"

// sendRCS plays a network and the phones in it. The last four digits of the
// recipient select what happens. They differ from the digits of other channels, so that
// a fallback to the same recipient succeeds:
//
//	0011   refused with 404, cannot receive RCS
//	0012   refused with 423, do-not-disturb
//	0013   sent, never delivered
//	0014   sent and delivered, never read
//	0015   sent, delivered 10 s later, read 20 s after it was sent
//	0016   temporary failure on the first two attempts, then like others
//	0017   refused with 410, opted out
//	0018   sent, delivered and read, then answered with a text
//	0019   sent, delivered and read, then the first suggestion is tapped
//	0020   sent, delivered and read, then a location is shared
//	other  sent, delivered and read at once
func (v *Virtual) sendRCS(m Message) (Receipt, error) {
	switch lastDigits(m.Recipient) {
	case "0011":
		return Receipt{}, &CarrierError{Code: 404, Title: "The phone cannot receive RCS"}
	case "0012":
		return Receipt{}, &CarrierError{Code: 423, Title: "Do-not-disturb"}
	case "0016":
		if m.Attempt <= 2 {
			return Receipt{}, &CarrierError{Code: 429, Title: "Too many messages", Temporary: true}
		}
	case "0017":
		return Receipt{}, &CarrierError{Code: 410, Title: "The recipient has opted out"}
	}
	return Receipt{ProviderID: "virtual-" + m.ID, State: Sent}, nil
}

// nextRCS returns what follows a state of an RCS message.
func nextRCS(recipient string, after State) (Forecast, bool) {
	end, delay := lastDigits(recipient), time.Duration(0)
	if end == "0015" {
		delay = 10 * time.Second
	}
	switch {
	case after == Sent && end != "0013":
		return Forecast{State: Delivered, Delay: delay}, true
	case after == Delivered && end != "0014":
		return Forecast{State: Read, Delay: delay}, true
	case after == Read && (end == "0018" || end == "0019" || end == "0020"):
		return Forecast{State: Replied}, true
	}
	return Forecast{}, false
}
