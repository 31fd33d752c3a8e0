package api

import (
	"context"
	"strconv"
)

type userDetails struct {
	Code   int                 `json:"code"`
	Status string              `json:"status"`
	Data   []map[string]string `json:"data"`
}

// getUserDetails is operation 15: the numbers of the caller's organisation.
func (m *Messaging) getUserDetails(ctx context.Context, c *call, _ none) (userDetails, error) {
	numbers, err := m.service.Numbers(ctx, c.caller.OrganisationID)
	details := userDetails{Code: 200, Status: "SUCCESS", Data: make([]map[string]string, len(numbers))}
	for i, n := range numbers {
		details.Data[i] = map[string]string{
			"wanumber":                      n.Number,
			"phone_number_id":               strconv.FormatInt(n.ID, 10),
			c.word + "_business_account_id": strconv.FormatInt(n.BusinessAccountID, 10),
		}
	}
	return details, err
}
