package reader

import (
	"regexp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/model"
	views "heliograph/views/reader"
)

// placeholder matches a value of a sample that readers replace.
var placeholder = regexp.MustCompile(`<[A-Za-z][A-Za-z0-9._-]*>`)

// credentials says where readers find the placeholders of every API.
var credentials = []model.Placeholder{
	{Name: "API_KEY", Found: "Create a key on [API keys](/account/keys). Keep it secret: everybody who has it can send in your name."},
}

// replacements lists the placeholders in the text of a sample, in their order.
func replacements(e *model.Endpoint, text string) (list []views.Replacement) {
	known := slices.Concat(credentials, e.Placeholders)
	for _, found := range placeholder.FindAllString(text, -1) {
		name := strings.Trim(found, "<>")
		if slices.ContainsFunc(list, func(r views.Replacement) bool { return r.Name == name }) {
			continue
		}
		i := slices.IndexFunc(known, func(p model.Placeholder) bool { return p.Name == name })
		switch {
		case i >= 0:
			list = append(list, views.Replacement{Name: name, Found: prose(known[i].Found)})
		case slices.ContainsFunc(e.Inputs, func(in model.Input) bool { return in.Name == name }):
			list = append(list, views.Replacement{Name: name, Found: prose("The parameter `" + name + "` of this request.")})
		}
	}
	return list
}
