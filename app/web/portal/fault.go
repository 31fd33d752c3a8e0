package portal

import (
	"slices"

	"heliograph/app/catalogue"
	"heliograph/app/spec/model"
	views "heliograph/views/portal"
)

// newErrors groups the examples of an answer by the error code within, with
// what the introduction of the version says of the code.
func newErrors(v *catalogue.Version, answer model.Response) []views.Fault {
	var list []views.Fault
	for _, b := range answer.Bodies {
		for _, example := range b.Examples {
			if example.Generated {
				continue
			}
			for _, code := range example.Codes() {
				i := slices.IndexFunc(list, func(e views.Fault) bool { return e.Code == code })
				if i < 0 {
					i = len(list)
					known := v.Faults[code]
					list = append(list, views.Fault{Code: code, Cause: known.Meaning, Remedy: known.Remedy})
				}
				if title := exampleTitle(example); title != list[i].Cause {
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
