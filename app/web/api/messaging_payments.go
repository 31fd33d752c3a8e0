package api

import (
	"context"

	"heliograph/app/channels/messaging"
	"heliograph/db/models"
)

type paymentStatus struct {
	Payments []payment `json:"payments"`
}

type payment struct {
	ReferenceID  string                         `json:"reference_id"`
	Status       string                         `json:"status"`
	Currency     string                         `json:"currency"`
	Amount       messaging.PaymentAmount        `json:"amount"`
	Transactions []messaging.PaymentTransaction `json:"transactions,omitempty"`
}

// getPayment serves GET
// /{phone_number_id}/payments/{payment_configuration}/{order-id}: the status of
// the payment for an order.
func (m messagingMessages) getPayment(ctx context.Context, c *call, number models.PhoneNumber, _ none) (paymentStatus, error) {
	o, transactions, err := m.sender.Payment(ctx, number, c.params["payment_configuration"], c.params["order-id"])
	if err != nil {
		return paymentStatus{}, err
	}
	shown := payment{ReferenceID: o.Reference, Status: o.PaymentStatus, Currency: o.Currency, Amount: messaging.PaymentAmount{Value: o.Amount, Offset: o.Offset}}
	for _, t := range transactions {
		shown.Transactions = append(shown.Transactions, messaging.NewPaymentTransaction(o, t))
	}
	return paymentStatus{Payments: []payment{shown}}, nil
}
