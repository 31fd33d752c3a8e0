package reader

import (
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/reference"
	views "heliograph/views/reader"
)

// newErrors lists the error codes of a response.
func newErrors(at place, response model.Response) []views.Fault {
	var list []views.Fault
	for _, e := range reference.ErrorCodes(at.version, response) {
		fault := views.Fault{Code: e.Code, Cause: e.Cause, Cases: e.Cases, Remedy: e.Remedy}
		if len(at.version.Faults) > 0 {
			fault.Href = at.reference().Errors() + "#" + markdown.ErrorID(e.Code)
		}
		list = append(list, fault)
	}
	return list
}
