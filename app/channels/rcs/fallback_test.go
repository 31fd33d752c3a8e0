package rcs

import (
	"encoding/json"
	"testing"

	"heliograph/app/channels/pipeline"
	"heliograph/db/models"
)

// A fallback follows the failures that its after names. One who has opted out gets
// nothing on another channel; one on a do-not-disturb list gets what is not
// promotional.
func TestFallbackFollowsFailures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		after       string
		code        int
		state       string
		promotional bool
		want        bool
	}{
		{"", 404, pipeline.Failed, true, true},
		{"", 423, pipeline.Failed, false, true},
		{"", 423, pipeline.Failed, true, false},
		{"", 410, pipeline.Failed, false, false},
		{"", 0, stateExpired, true, true},
		{afterFailure, 423, pipeline.Failed, false, true},
		{afterFailure, 423, pipeline.Failed, true, false},
		{afterFailure, 410, pipeline.Failed, false, false},
		{afterFailure, 429, pipeline.Failed, true, true},
		{afterFailure, 0, stateExpired, false, false},
		{afterIncapable, 423, pipeline.Failed, false, false},
		{afterIncapable, 404, pipeline.Failed, false, true},
		{afterTTL, 423, pipeline.Failed, false, false},
		{afterTTL, 0, stateExpired, true, true},
	} {
		stored, err := json.Marshal(map[string]any{"contentMessage": map[string]any{"text": "x"}, "after": tt.after, "promotional": tt.promotional})
		if err != nil {
			t.Fatal(err)
		}
		step := pipeline.Step{State: tt.state, Failure: &pipeline.Failure{Code: tt.code}}
		if got := fallsOver(models.Message{Payload: stored}, step); got != tt.want {
			t.Errorf("%+v falls over: %t", tt, got)
		}
	}
}
