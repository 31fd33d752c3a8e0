package validate

import (
	"errors"
	"net/url"
)

// parameter checks a parameter of a request or a header of a response.
type parameter struct {
	in         Location
	name       string
	source     string // its name in the request, which differs in the path of a variant
	style      string
	explode    bool
	isRequired bool
	allowEmpty bool
	media      string // of a value that is sent as a document of its own, "" otherwise
	schema     *checker
	shape      *shape
	taken      map[string]bool // names of the other parameters in the query
}

// check reports the problems of a parameter.
func (p *parameter) check(s *source, found *report) {
	fail := func(code, message string) {
		found.add(Problem{Location: p.in, Name: p.name, Code: code, Message: message})
	}
	texts := s.texts(p.in, p.source)
	if p.allowEmpty && len(texts) == 1 && texts[0] == "" {
		return
	}
	var value any
	var isSent bool
	var err error
	if p.media != "" {
		var f *flaw
		value, isSent, f = p.document(texts, s.limits)
		if f != nil {
			fail(f.code, f.message)
			return
		}
	} else {
		value, isSent, err = p.read(s)
	}
	var escape url.EscapeError
	switch {
	case !isSent && p.isRequired:
		fail("required", "Send the "+p.what()+" "+p.name+". It is required.")
	case !isSent:
	case errors.Is(err, errRepeated):
		fail("repeated", "Send the "+p.what()+" "+p.name+" only once.")
	case errors.As(err, &escape):
		fail("encoding", "Percent-encode the "+p.what()+" "+p.name+" correctly.")
	case err != nil:
		fail("style", "Correct the "+p.what()+" "+p.name+": "+err.Error()+".")
	default:
		p.schema.check(value, Problem{Location: p.in, Name: p.name}, found)
	}
}

// document reads a parameter that has a content type of its own.
func (p *parameter) document(texts []string, limits limitSet) (any, bool, *flaw) {
	if len(texts) == 0 {
		return nil, false, nil
	}
	text, err := unescape(p.in)(texts[0])
	if err != nil {
		return nil, true, &flaw{"encoding", "Percent-encode the " + p.what() + " " + p.name + " correctly."}
	}
	if !isJSON(p.media) {
		return p.shape.scalar(text), true, nil
	}
	value, f := decodeJSON([]byte(text), limits)
	return value, true, f
}

func (p *parameter) what() string {
	switch p.in {
	case Header:
		return "header"
	case Cookie:
		return "cookie"
	case Body:
		return "field"
	}
	return string(p.in) + " parameter"
}
