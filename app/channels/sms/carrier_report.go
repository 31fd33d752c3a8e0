package sms

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/channels/pipeline"
)

// The events of a Kannel gateway (its type of a delivery report).
const (
	kannelDelivered   = "1"
	kannelUndelivered = "2"
	kannelQueued      = "4"
	kannelSubmitted   = "8"
	kannelRejected    = "16"
)

// receiptField is a field of an SMPP receipt, such as stat:UNDELIV.
var receiptField = regexp.MustCompile(`(?i)\b(stat|err):\s*([a-z0-9]+)`)

// finalStates maps the words of receipts (SMPP 3.4, appendix B) to states and the
// reason of each.
var finalStates = map[string]struct {
	state  string
	reason int
}{
	"DELIVRD": {stateDelivered, 0}, "EXPIRED": {stateExpired, reasonValidity}, "DELETED": {stateUndelivered, reasonUndelivered}, "UNDELIV": {stateUndelivered, reasonUndelivered},
	"UNKNOWN": {stateUnknown, reasonUnknown}, "REJECTD": {stateRejected, reasonRefused},
	// Gateways that speak HTTP write the words in full.
	"DELIVERED": {stateDelivered, 0}, "UNDELIVERED": {stateUndelivered, reasonUndelivered}, "FAILED": {stateUndelivered, reasonUndelivered}, "REJECTED": {stateRejected, reasonRefused},
}

// reasonRefused is the reason of a message that an operator refused.
const reasonRefused = 642

// untaken are what Kannel itself reports of a message that it gave up, perhaps after
// it had taken the message into its queue: no operator was connected, or the operator
// put the message off as often as sms-resend-retry allows. An operator's refusal
// begins with NACK as well, followed by the operator's code.
var untaken = []string{"NACK/no SMSC", "NACK/Retries Exceeded"}

// readCarrierReport reads the report of a carrier. Kannel sends type and receipt.
// Other gateways send status, with a word of receipts, and perhaps err. Twilio calls
// them MessageStatus and ErrorCode, and Vonage has err-code. It reports
// false for a report that changes nothing.
func readCarrierReport(values map[string]string) (r pipeline.CarrierReport, ok bool) {
	status, reason := strings.ToUpper(cmp.Or(values["status"], values["MessageStatus"])), cmp.Or(values["err"], values["err-code"], values["ErrorCode"])
	for _, match := range receiptField.FindAllStringSubmatch(values["receipt"], -1) {
		if strings.EqualFold(match[1], "stat") {
			status = strings.ToUpper(match[2])
		} else {
			reason = match[2]
		}
	}
	switch values["type"] {
	case kannelQueued, kannelSubmitted:
		return pipeline.CarrierReport{State: stateEnroute}, true
	case kannelRejected:
		if n, err := strconv.Atoi(values["handover"]); err == nil && n > 0 && slices.Contains(untaken, values["receipt"]) {
			return pipeline.CarrierReport{Untaken: n}, true
		}
		status = "REJECTD"
	case kannelDelivered:
		status = "DELIVRD"
	case kannelUndelivered:
		if final, ok := finalStates[status]; !ok || final.state == stateDelivered {
			status = "UNDELIV"
		}
	}
	if status == "ENROUTE" || status == "ACCEPTD" {
		return pipeline.CarrierReport{State: stateEnroute}, true
	}
	final, ok := finalStates[status]
	if !ok {
		return r, false
	}
	r.State = final.state
	if r.State != stateDelivered {
		r.Failure = carrierFailure(final.reason, reason)
	}
	return r, true
}

// carrierFailure returns the reason of a failure. An operator's own reason is used
// if it is one of the published ones, and is otherwise part of the detail.
func carrierFailure(reason int, own string) *pipeline.Failure {
	f := &pipeline.Failure{Code: reason}
	if n, err := strconv.Atoi(own); err == nil && n != 0 {
		if ReasonMeaning(n) != "" && n >= 601 && n != reasonPending {
			f.Code = n
		} else {
			f.Detail = "the operator's error is " + own
		}
	}
	f.Title = ReasonMeaning(f.Code)
	return f
}
