package postman

import (
	"cmp"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/model"
)

type response struct {
	ID       string      `json:"id"`
	Name     string      `json:"name"`
	Request  *request    `json:"originalRequest,omitempty"`
	Status   string      `json:"status,omitempty"`
	Code     int         `json:"code,omitempty"`
	Language string      `json:"_postman_previewlanguage,omitempty"`
	Header   []parameter `json:"header"`
	Cookie   []any       `json:"cookie"`
	Body     string      `json:"body"`
}

// item returns the request of an endpoint with its saved responses.
func (w *writer) item(e *model.Endpoint) item {
	id := w.source.ID + " " + e.Slug
	made := item{ID: uuid("request " + id), Name: e.Name, Request: w.request(e, choices(e)[0])}
	paired := map[string]bool{}
	for _, r := range e.Responses {
		for _, b := range r.Bodies {
			for _, x := range b.Examples {
				c, ok := choiceNamed(e, x.Name)
				paired[x.Name] = paired[x.Name] || ok
				made.Response = append(made.Response, w.response(e, r, b, saved{x, c}))
			}
		}
		if len(r.Bodies) == 0 {
			made.Response = append(made.Response, w.response(e, r, model.Body{}, saved{choice: choices(e)[0]}))
		}
	}
	made.Response = append(made.Response, w.unpaired(e, paired)...)
	for i := range made.Response {
		made.Response[i].ID = uuid("response " + id + " " + strconv.Itoa(i))
	}
	return made
}

// saved is the example of a response with the request that it answers.
type saved struct {
	example model.Example
	choice  choice
}

func (w *writer) response(e *model.Endpoint, r model.Response, b model.Body, s saved) response {
	original := *w.request(e, s.choice)
	original.Description, original.Auth = "", nil
	title := cmp.Or(s.example.Summary, s.example.Name, r.Title, r.Status)
	code, _ := strconv.Atoi(strings.ReplaceAll(r.Status, "X", "0")) // default has none
	made := response{
		Name: strings.TrimSpace(r.Status + " " + title), Request: &original, Status: r.Title, Code: code,
		Header: []parameter{}, Cookie: []any{}, Body: s.example.Value,
	}
	if b.ContentType != "" {
		made.Header = append(made.Header, parameter{Key: "Content-Type", Value: b.ContentType})
		made.Language = language(b.ContentType)
	}
	return made
}

// choiceNamed returns the body with an example of this name, else the first one.
func choiceNamed(e *model.Endpoint, name string) (c choice, found bool) {
	list := choices(e)
	for _, c := range list {
		if name != "" && c.example.Name == name {
			return c, true
		}
	}
	return list[0], false
}

// unpaired saves the examples of requests that no response has the name of, with
// the first documented success.
func (w *writer) unpaired(e *model.Endpoint, paired map[string]bool) (list []response) {
	for i, c := range choices(e) {
		if c.example.Name == "" || paired[c.example.Name] || i == 0 {
			continue
		}
		for _, r := range e.Responses {
			if !strings.HasPrefix(r.Status, "2") {
				continue
			}
			s, b := saved{choice: c}, model.Body{}
			if len(r.Bodies) > 0 {
				b = r.Bodies[0]
				if len(b.Examples) > 0 {
					s.example = b.Examples[0]
				}
			}
			s.example.Summary = cmp.Or(c.example.Summary, c.example.Name)
			list = append(list, w.response(e, r, b, s))
			break
		}
	}
	return list
}
