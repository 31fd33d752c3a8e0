package reference

import (
	"slices"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
)

// ErrorCode is an error code of a response.
type ErrorCode struct {
	Code   string
	Cause  string
	Cases  []string // when it happens
	Remedy string   // may be empty
}

// ErrorCodes groups the examples of a response by the error code within, with
// the meaning that the introduction of the version gives of the code.
func ErrorCodes(v *published.Version, response model.Response) []ErrorCode {
	var list []ErrorCode
	for _, b := range response.Bodies {
		for _, example := range b.Examples {
			if example.Generated {
				continue
			}
			for _, code := range example.Codes() {
				i := slices.IndexFunc(list, func(e ErrorCode) bool { return e.Code == code })
				if i < 0 {
					i = len(list)
					known := v.Faults[code]
					list = append(list, ErrorCode{Code: code, Cause: known.Meaning, Remedy: known.Remedy})
				}
				if title := ExampleTitle(example); title != list[i].Cause {
					list[i].Cases = append(list[i].Cases, title)
				}
			}
		}
	}
	for i := range list {
		if e := &list[i]; e.Cause == "" {
			e.Cause, e.Cases = e.Cases[0], e.Cases[1:]
		}
	}
	return list
}
