package reader

import (
	"strings"

	"heliograph/app/documentation/openapi/model"
	views "heliograph/views/reader"
)

// bodies maps the content types of a body. The id of the section around them is
// the place itself.
func (r *rows) bodies(place string, list []model.Body) []views.Body {
	mapped := make([]views.Body, len(list))
	for i, b := range list {
		mapped[i] = views.Body{ID: r.id(place + "-" + slug(b.ContentType)), ContentType: b.ContentType, Panel: r.panel(place + "-" + slug(b.ContentType))}
		if b.Root != nil {
			mapped[i].Whole = r.whole(b.Root, 0)
		}
	}
	return mapped
}

// responses maps the responses.
func (r *rows) responses(list []model.Response) []views.Response {
	mapped := make([]views.Response, len(list))
	for i, answer := range list {
		place := responseID(answer)
		mapped[i] = views.Response{
			Status: answer.Status, Reason: answer.Title, Note: r.at.prose(answer.Description),
			Headers: r.fields(answer.Headers, 1), Bodies: r.bodies(place, answer.Bodies),
			Panel: r.panel(place),
		}
		if !strings.HasPrefix(answer.Status, "2") {
			mapped[i].Errors = newErrors(r.at, answer)
		}
	}
	return mapped
}
