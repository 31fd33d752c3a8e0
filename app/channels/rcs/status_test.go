package rcs

import (
	"encoding/json"
	"testing"
	"time"

	"heliograph/app/channels/pipeline"
	"heliograph/db/models"
)

// Each event of a message keeps its own reason: after a fallback the reason why RCS
// failed is still there.
func TestStatusKeepsTheReasonOfEachEvent(t *testing.T) {
	t.Parallel()
	failure, err := json.Marshal(pipeline.Failure{Code: 404, Title: "Not reachable by RCS"})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	r := newStatusReport(models.LoggedMessage{Message: models.Message{Reference: "m1", Recipient: "919812345678", Channel: Channel, CreatedAt: at}, Events: []models.MessageEvent{
		{State: pipeline.Failed, OccurredAt: at.Add(time.Second), Failure: failure}, {State: "delivered", OccurredAt: at.Add(2 * time.Second)},
	}})
	if len(r.Events) != 3 || r.Events[1].Error == nil || r.Events[2].Error != nil || r.Error != nil {
		t.Errorf("events are %+v, the error of the message is %+v", r.Events, r.Error)
	}
}

// The reason of a review stands beside the state that it led to, and only there.
func TestReasonsStandWithTheirState(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		verification, launch, reason  string
		rejectionReason, launchReason any
	}{
		{rejected, "UNLAUNCHED", "Logo is unreadable", "Logo is unreadable", nil},
		{"VERIFIED", rejected, "Complaints", "Complaints", nil},
		{"VERIFIED", "SUSPENDED", "Complaints", nil, "Complaints"},
		{"VERIFIED", "LAUNCHED", "", nil, nil},
	} {
		view, err := viewBot(models.RCSBot{Profile: []byte(`{}`), Verification: tt.verification, Launch: tt.launch, Reason: tt.reason})
		if err != nil {
			t.Fatal(err)
		}
		if view["rejectionReason"] != tt.rejectionReason || view["launchReason"] != tt.launchReason {
			t.Errorf("%s and %s: %v", tt.verification, tt.launch, view)
		}
	}
}
