package portal

import (
	"heliograph/app/catalogue"
	"heliograph/app/reference"
	"heliograph/app/spec/model"
	views "heliograph/views/portal"
)

// newErrors lists the error codes of a response.
func newErrors(v *catalogue.Version, response model.Response) []views.Fault {
	var list []views.Fault
	for _, e := range reference.ErrorCodes(v, response) {
		list = append(list, views.Fault(e))
	}
	return list
}
