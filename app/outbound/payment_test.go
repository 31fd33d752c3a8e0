package outbound

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVirtualPayer(t *testing.T) {
	t.Parallel()
	for amount, want := range map[int64][]string{
		21000: {"0s PENDING", "0s CAPTURED"},
		21001: {"0s PENDING", "0s FAILED"},
		21002: {"0s PENDING", "0s FAILED", "0s PENDING", "0s CAPTURED"},
		21003: {"0s PENDING"},
		21004: nil,
		21005: {"0s PENDING", "10s CAPTURED"},
		0:     {"0s PENDING", "0s CAPTURED"},
		1:     {"0s PENDING", "0s FAILED"},
	} {
		var steps []string
		p := Payment{Status: "NEW", Amount: amount}
		for {
			step, ok := NewVirtual(nil).NextPayment(p)
			if !ok {
				break
			}
			if p.Status = step.Status; p.Status == "PENDING" {
				p.Attempts++
			}
			steps = append(steps, fmt.Sprint(step.Delay, " ", step.Status))
		}
		if diff := cmp.Diff(want, steps); diff != "" {
			t.Errorf("%d (-want +got):\n%s", amount, diff)
		}
	}
	if step, ok := NewVirtual(nil).NextPayment(Payment{Status: "CANCELED", Amount: 21000}); ok {
		t.Errorf("a canceled order is paid: %+v", step)
	}
}
