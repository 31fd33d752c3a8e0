package console

import (
	"slices"

	"heliograph/app/documentation/openapi/model"
)

// Preference is an answer that a call can ask of the mock server.
type Preference struct {
	Value string // of the header Prefer
	Label string
}

// Preferences lists the answers that the mock server can give for an endpoint: each
// documented status, and each of its examples where there are several.
func Preferences(e *model.Endpoint) (list []Preference) {
	for _, r := range e.Responses {
		code := r.Status
		if len(code) != 3 || code[0] < '2' || code[0] > '5' || code[1] == 'X' || code[1] == 'x' {
			continue
		}
		label := code
		if r.Title != "" {
			label += " " + r.Title
		}
		list = append(list, Preference{"code=" + code, label})
		for _, b := range r.Bodies {
			for _, x := range named(b.Examples) {
				p := Preference{"code=" + code + ", example=" + quoted(x.Name), code + ": " + x.Name}
				if x.Summary != "" {
					p.Label = code + ": " + x.Summary
				}
				if !slices.Contains(list, p) {
					list = append(list, p)
				}
			}
		}
	}
	return list
}

// named lists the examples with a name, where there are several.
func named(list []model.Example) (found []model.Example) {
	for _, x := range list {
		if x.Name != "" && !x.Generated {
			found = append(found, x)
		}
	}
	if len(found) < 2 {
		return nil
	}
	return found
}

// quoted writes a name as a string of a header (RFC 9110, section 5.6.4).
func quoted(name string) string {
	text := []byte{'"'}
	for i := range len(name) {
		if name[i] == '"' || name[i] == '\\' {
			text = append(text, '\\')
		}
		text = append(text, name[i])
	}
	return string(append(text, '"'))
}

// prefer adds what the call asks of the mock server.
func (c *Call) prefer(e *model.Endpoint, entry Entry, found *findings) {
	switch {
	case entry.Prefer == "" || !c.isMock:
	case slices.ContainsFunc(Preferences(e), func(p Preference) bool { return p.Value == entry.Prefer }):
		c.Header = append(c.Header, Header{Name: "Prefer", Value: entry.Prefer})
	default:
		found.add("prefer", "Choose one of the documented answers.")
	}
}
