package reader

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/reference"
	"heliograph/views/ui"
)

// exchange lists the calls of an operation and the examples of its responses. A page
// shows one call with the response to it. The variants of the body that the call has,
// and the status of the response, are those that the reference shows open.
type exchange struct {
	calls   []call
	answers []answer
}

// call is a call, or the payload of a callback.
type call struct {
	name   string // in addresses
	label  string
	shown  []string // ids of the content type and the variants that its body has
	answer int      // index of the response to it, -1 for none
	body   int      // index of the bodies that samples can send
	cause  *model.Cause
	code   ui.Code // of a payload
}

// answer is an example of a response.
type answer struct {
	name   string // in addresses
	status string
	code   ui.Code
}

// newExchange lists the calls and responses of an operation. There is always a call,
// except of callbacks.
func newExchange(e *model.Endpoint) (x exchange) {
	causes := x.addAnswers(e)
	for i, body := range sample.Choices(e) {
		if e.Callback {
			break
		}
		label := cmp.Or(body.ContentType, e.Name)
		if body.Example.Value != "" {
			label = reference.ExampleTitle(body.Example)
		}
		x.add(call{label: label, body: i, shown: companions(e, body), answer: x.answerOf(e, body.Example.Name)}, body.Example.Name)
	}
	for _, body := range e.Bodies {
		for _, example := range body.Examples {
			if e.Callback {
				code := ui.Code{Title: body.ContentType, Language: reference.Syntax(body.ContentType), Text: example.Value}
				x.add(call{label: reference.ExampleTitle(example), answer: -1, code: code}, example.Name)
			}
		}
	}
	for i, example := range causes {
		if sample.Causes(e, example.Cause) {
			x.add(call{label: x.answers[i].status + " · " + reference.ExampleTitle(example), answer: i, cause: example.Cause}, example.Name)
		}
	}
	return x
}

// add adds a call under a name that no other one has.
func (x *exchange) add(c call, name string) {
	c.name = cmp.Or(name, strconv.Itoa(len(x.calls)+1))
	for n := 2; x.named(c.name) >= 0; n++ {
		c.name = name + "-" + strconv.Itoa(n)
	}
	x.calls = append(x.calls, c)
}

// addAnswers adds the examples of the responses and returns them, in their order.
func (x *exchange) addAnswers(e *model.Endpoint) (list []model.Example) {
	for _, r := range e.Responses {
		examples := examplesOf(r)
		for i, example := range examples {
			name := strings.ToLower(r.Status)
			if len(examples) > 1 {
				name += "-" + strconv.Itoa(i+1)
			}
			x.answers = append(x.answers, answer{name: name, status: r.Status, code: ui.Code{
				Title: example.title, Language: reference.Syntax(example.contentType), Text: example.Value,
			}})
			list = append(list, example.Example)
		}
	}
	return list
}

// answerOf returns the response to an example, -1 without one: the success of its
// name, or else the first success.
func (x *exchange) answerOf(e *model.Endpoint, name string) int {
	at, first := 0, -1
	for _, r := range e.Responses {
		for _, example := range examplesOf(r) {
			if strings.HasPrefix(r.Status, "2") && example.Name == name {
				return at
			}
			if strings.HasPrefix(r.Status, "2") && first < 0 {
				first = at
			}
			at++
		}
	}
	return first
}

// named returns the index of a call, -1 without one.
func (x *exchange) named(name string) int {
	return slices.IndexFunc(x.calls, func(c call) bool { return c.name == name })
}

// find returns the call and the answer of a choice by the names in an address. A
// status shows the call that gets it. One that no call gets stands beside the
// call of the address or, if that gets an error, beside the first one.
func (x *exchange) find(example, status, field string) (at, shown int) {
	at = max(0, x.named(example))
	if id, isResponse := strings.CutPrefix(field, "response-"); isResponse {
		status = cmp.Or(status, id[:len(id)-len(strings.TrimLeft(id, "0123456789abcdefghijklmnopqrstuvwxyz"))])
	} else if i := x.having(field); field != "" && example == "" && i >= 0 {
		at = i
	}
	is := func(i int) bool {
		return i >= 0 && (x.answers[i].name == status || strings.ToLower(x.answers[i].status) == status)
	}
	asked := slices.IndexFunc(x.answers, func(a answer) bool { return a.name == status || strings.ToLower(a.status) == status })
	if asked < 0 || len(x.calls) > 0 && is(x.calls[at].answer) {
		return at, 0
	}
	if i := slices.IndexFunc(x.calls, func(c call) bool { return is(c.answer) }); i >= 0 {
		return i, 0
	}
	if len(x.calls) > 0 && x.calls[at].cause != nil {
		at = 0
	}
	return at, asked + 1
}

// having returns the first call that has the variant around a field in its body, -1
// without one.
func (x *exchange) having(field string) int {
	return slices.IndexFunc(x.calls, func(c call) bool {
		return slices.ContainsFunc(c.shown, func(id string) bool { return field == id || within(field, id) })
	})
}

// answered returns the index of the response that a choice shows, -1 without one.
func (x *exchange) answered(c choice) int {
	if c.answer > 0 {
		return c.answer - 1
	}
	if len(x.calls) > 0 && x.calls[c.call].answer >= 0 {
		return x.calls[c.call].answer
	}
	return min(0, len(x.answers)-1)
}
