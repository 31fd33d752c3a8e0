package sms

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/channels/delivery"
)

func TestReadCarrierReport(t *testing.T) {
	t.Parallel()
	receipt := func(stat, err string) string {
		return "id:7 sub:001 dlvrd:001 submit date:2611221000 done date:2611221000 stat:" + stat + " err:" + err + " text:stat:DELIVRD?"[:6]
	}
	failure := func(code int, detail string) *delivery.Failure {
		return &delivery.Failure{Code: code, Title: ReasonMeaning(code), Detail: detail}
	}
	for _, tt := range []struct {
		values map[string]string
		want   delivery.CarrierReport
		moves  bool
	}{
		{map[string]string{"type": "8", "receipt": "ACK/"}, delivery.CarrierReport{State: stateEnroute}, true},
		{map[string]string{"type": "4"}, delivery.CarrierReport{State: stateEnroute}, true},
		{map[string]string{"type": "1", "receipt": receipt("DELIVRD", "000")}, delivery.CarrierReport{State: stateDelivered}, true},
		{map[string]string{"type": "2", "receipt": receipt("UNDELIV", "000")}, delivery.CarrierReport{State: stateUndelivered, Failure: failure(608, "")}, true},
		{map[string]string{"type": "2", "receipt": receipt("UNDELIV", "617")}, delivery.CarrierReport{State: stateUndelivered, Failure: failure(617, "")}, true},
		{map[string]string{"type": "2", "receipt": receipt("EXPIRED", "045")}, delivery.CarrierReport{State: stateExpired, Failure: failure(640, "the operator's error is 045")}, true},
		{map[string]string{"type": "2", "receipt": receipt("REJECTD", "0")}, delivery.CarrierReport{State: stateRejected, Failure: failure(642, "")}, true},
		{map[string]string{"type": "2", "receipt": "no receipt"}, delivery.CarrierReport{State: stateUndelivered, Failure: failure(608, "")}, true},
		{map[string]string{"type": "16", "receipt": "NACK/69/Submit failed"}, delivery.CarrierReport{State: stateRejected, Failure: failure(642, "")}, true},
		{map[string]string{"type": "16", "receipt": "NACK/0x00000045/Submit failed", "handover": "1"}, delivery.CarrierReport{State: stateRejected, Failure: failure(642, "")}, true},
		{map[string]string{"type": "16", "receipt": "NACK/no SMSC", "handover": "2"}, delivery.CarrierReport{Untaken: 2}, true},
		{map[string]string{"type": "16", "receipt": "NACK/Retries Exceeded", "handover": "3"}, delivery.CarrierReport{Untaken: 3}, true},
		{map[string]string{"type": "16", "receipt": "NACK/no SMSC"}, delivery.CarrierReport{State: stateRejected, Failure: failure(642, "")}, true}, // handed over by an earlier version
		{map[string]string{"status": "delivrd"}, delivery.CarrierReport{State: stateDelivered}, true},
		{map[string]string{"status": "ENROUTE"}, delivery.CarrierReport{State: stateEnroute}, true},
		{map[string]string{"status": "UNKNOWN", "err": "607"}, delivery.CarrierReport{State: stateUnknown, Failure: failure(607, "")}, true},
		{map[string]string{"MessageStatus": "delivered"}, delivery.CarrierReport{State: stateDelivered}, true},
		{map[string]string{"MessageStatus": "undelivered", "ErrorCode": "30003"}, delivery.CarrierReport{State: stateUndelivered, Failure: failure(608, "the operator's error is 30003")}, true},
		{map[string]string{"status": "rejected", "err-code": "9"}, delivery.CarrierReport{State: stateRejected, Failure: failure(642, "the operator's error is 9")}, true},
		{map[string]string{"status": "BOUNCED"}, delivery.CarrierReport{}, false},
		{nil, delivery.CarrierReport{}, false},
	} {
		got, moves := readCarrierReport(tt.values)
		if diff := cmp.Diff(tt.want, got); diff != "" || moves != tt.moves {
			t.Errorf("%v moves %t:\n%s", tt.values, moves, diff)
		}
	}
}
