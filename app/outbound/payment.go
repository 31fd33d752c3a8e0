package outbound

import "time"

// Payment is the state of the payment of an order.
type Payment struct {
	Status   string // NEW, PENDING, CAPTURED, FAILED or CANCELED
	Amount   int64  // in the smallest unit of the currency
	Attempts int    // started so far
}

// PaymentStep is the next action of a payer.
type PaymentStep struct {
	Status string        // PENDING, CAPTURED or FAILED
	Delay  time.Duration // after the step before it
}

// NextPayment returns the next step of the virtual payer. The last two digits of
// the amount select what happens once the order has been read:
//
//	01     the attempt fails
//	02     the first attempt fails, the second succeeds
//	03     the attempt starts and stays pending
//	04     the payer makes no attempt
//	05     the attempt starts and succeeds 10 s later
//	other  the attempt succeeds at once
func (v *Virtual) NextPayment(p Payment) (PaymentStep, bool) {
	end := p.Amount % 100
	switch p.Status {
	case "NEW":
		return PaymentStep{Status: "PENDING"}, end != 4
	case "PENDING":
		switch {
		case end == 1 || end == 2 && p.Attempts == 1:
			return PaymentStep{Status: "FAILED"}, true
		case end == 5:
			return PaymentStep{Status: "CAPTURED", Delay: 10 * time.Second}, true
		}
		return PaymentStep{Status: "CAPTURED"}, end != 3
	case "FAILED":
		return PaymentStep{Status: "PENDING"}, end == 2 && p.Attempts == 1
	}
	return PaymentStep{}, false
}
