package sms

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/channels/pipeline"
)

func TestReadCarrierReport(t *testing.T) {
	t.Parallel()
	receipt := func(stat, err string) string {
		return "id:7 sub:001 dlvrd:001 submit date:2611221000 done date:2611221000 stat:" + stat + " err:" + err + " text:stat:DELIVRD?"[:6]
	}
	failure := func(code int, detail string) *pipeline.Failure {
		return &pipeline.Failure{Code: code, Title: ReasonMeaning(code), Detail: detail}
	}
	for _, tt := range []struct {
		values map[string]string
		want   pipeline.CarrierReport
		moves  bool
	}{
		{map[string]string{"type": "8", "receipt": "ACK/"}, pipeline.CarrierReport{State: stateEnroute}, true},
		{map[string]string{"type": "4"}, pipeline.CarrierReport{State: stateEnroute}, true},
		{map[string]string{"type": "1", "receipt": receipt("DELIVRD", "000")}, pipeline.CarrierReport{State: stateDelivered}, true},
		{map[string]string{"type": "2", "receipt": receipt("UNDELIV", "000")}, pipeline.CarrierReport{State: stateUndelivered, Failure: failure(608, "")}, true},
		{map[string]string{"type": "2", "receipt": receipt("UNDELIV", "617")}, pipeline.CarrierReport{State: stateUndelivered, Failure: failure(617, "")}, true},
		{map[string]string{"type": "2", "receipt": receipt("EXPIRED", "045")}, pipeline.CarrierReport{State: stateExpired, Failure: failure(640, "the operator's error is 045")}, true},
		{map[string]string{"type": "2", "receipt": receipt("REJECTD", "0")}, pipeline.CarrierReport{State: stateRejected, Failure: failure(642, "")}, true},
		{map[string]string{"type": "2", "receipt": "no receipt"}, pipeline.CarrierReport{State: stateUndelivered, Failure: failure(608, "")}, true},
		{map[string]string{"type": "16", "receipt": "NACK/69/Submit failed"}, pipeline.CarrierReport{State: stateRejected, Failure: failure(642, "")}, true},
		{map[string]string{"type": "16", "receipt": "NACK/0x00000045/Submit failed", "handover": "1"}, pipeline.CarrierReport{State: stateRejected, Failure: failure(642, "")}, true},
		{map[string]string{"type": "16", "receipt": "NACK/no SMSC", "handover": "2"}, pipeline.CarrierReport{Untaken: 2}, true},
		{map[string]string{"type": "16", "receipt": "NACK/Retries Exceeded", "handover": "3"}, pipeline.CarrierReport{Untaken: 3}, true},
		{map[string]string{"type": "16", "receipt": "NACK/no SMSC"}, pipeline.CarrierReport{State: stateRejected, Failure: failure(642, "")}, true}, // handed over by an earlier version
		{map[string]string{"status": "delivrd"}, pipeline.CarrierReport{State: stateDelivered}, true},
		{map[string]string{"status": "ENROUTE"}, pipeline.CarrierReport{State: stateEnroute}, true},
		{map[string]string{"status": "UNKNOWN", "err": "607"}, pipeline.CarrierReport{State: stateUnknown, Failure: failure(607, "")}, true},
		{map[string]string{"MessageStatus": "delivered"}, pipeline.CarrierReport{State: stateDelivered}, true},
		{map[string]string{"MessageStatus": "undelivered", "ErrorCode": "30003"}, pipeline.CarrierReport{State: stateUndelivered, Failure: failure(608, "the operator's error is 30003")}, true},
		{map[string]string{"status": "rejected", "err-code": "9"}, pipeline.CarrierReport{State: stateRejected, Failure: failure(642, "the operator's error is 9")}, true},
		{map[string]string{"status": "BOUNCED"}, pipeline.CarrierReport{}, false},
		{nil, pipeline.CarrierReport{}, false},
	} {
		got, moves := readCarrierReport(tt.values)
		if diff := cmp.Diff(tt.want, got); diff != "" || moves != tt.moves {
			t.Errorf("%v moves %t:\n%s", tt.values, moves, diff)
		}
	}
}
