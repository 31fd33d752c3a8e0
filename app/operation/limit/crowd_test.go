package limit_test

import (
	"testing"

	"heliograph/app/operation/limit"
)

// One key gets a quarter of the places, all keys get all of them, and a place that was
// given back is free once.
func TestCrowd(t *testing.T) {
	t.Parallel()
	crowd := limit.NewCrowd(8)
	first, ok := crowd.Enter("a", "x")
	if _, again := crowd.Enter("a", "y"); !ok || !again {
		t.Fatal("a does not get its quarter")
	}
	if _, ok := crowd.Enter("a", "z"); ok {
		t.Error("a gets more than its quarter")
	}
	first()
	first()
	if _, ok := crowd.Enter("a", "x"); !ok {
		t.Error("a place that was given back stays taken")
	}
	if _, ok := crowd.Enter("a"); ok {
		t.Error("a place was given back twice")
	}
	for _, key := range []string{"b", "b", "c", "c", "d", "d"} {
		if _, ok := crowd.Enter(key); !ok {
			t.Errorf("%s gets no place", key)
		}
	}
	if _, ok := crowd.Enter("e"); ok {
		t.Error("there are more than all places")
	}
}
