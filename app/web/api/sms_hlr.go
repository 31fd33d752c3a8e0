package api

import (
	"context"
	"encoding/json"

	"heliograph/app/fault"
	"heliograph/app/input"
)

type lookupInput struct {
	Number  input.Text      `json:"number"`
	MSISDN  input.Text      `json:"msisdn"`
	Numbers json.RawMessage `json:"numbers"` // a list, or one number
}

// list returns the numbers of a request.
func (in lookupInput) list() ([]string, error) {
	if in.Number != "" && in.MSISDN != "" && in.Number != in.MSISDN {
		return nil, fault.InvalidFields(fault.Field{Message: "number and msisdn differ: send one of them"})
	}
	var list []input.Text
	var one input.Text
	switch {
	case len(in.Numbers) == 0 || string(in.Numbers) == "null":
		list = []input.Text{in.Number}
		if in.Number == "" {
			list[0] = in.MSISDN
		}
		if list[0] == "" {
			list = nil
		}
	case json.Unmarshal(in.Numbers, &list) == nil:
	case json.Unmarshal(in.Numbers, &one) == nil:
		list = []input.Text{one}
	default:
		return nil, fault.InvalidFields(fault.Field{Message: "numbers must be a list of phone numbers, or one number"})
	}
	numbers := make([]string, len(list))
	for i, number := range list {
		numbers[i] = string(number)
	}
	return numbers, nil
}

// lookup looks one or many numbers up.
func (s *SMS) lookup(ctx context.Context, c *call, in lookupInput) (any, error) {
	numbers, err := in.list()
	if err != nil {
		return s.outcome(nil, err)
	}
	found, err := s.lookups.Lookup(ctx, c.caller.OrganisationID, numbers)
	return s.outcome(found, err)
}
