package mock

import (
	"net/url"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/openapi/validate"
)

// rule is an entry of the extension x-mock of an operation. The first one with
// conditions that hold chooses the answer:
//
//	x-mock:
//	  - when:
//	      body: { /type: image }     # by JSON pointer
//	      query: { limit: "0" }      # query, path and header by name
//	    example: image               # of a response
//	    code: 200                    # the status, optional
type rule struct {
	conditions []condition
	example    string
	code       int
}

// condition is a value that a place of a request must have. The values * means
// any value.
type condition struct{ in, name, value string }

// readRules reads the extension x-mock. Entries that cannot be read are left
// out.
func readRules(n *tree.Node) (list []rule) {
	for _, entry := range n.Elements() {
		made := rule{example: entry.Str("example")}
		if code, err := strconv.Atoi(entry.Get("code").Display()); err == nil {
			made.code = code
		}
		for _, place := range entry.Entries("when") {
			for _, m := range place.Value.Members {
				made.conditions = append(made.conditions, condition{place.Key, m.Key, m.Value.Display()})
			}
		}
		if made.example != "" || made.code != 0 {
			list = append(list, made)
		}
	}
	return list
}

// rule returns the first rule with conditions that hold, nil for none.
func (op *operation) rule(r validate.Request) *rule {
	if len(op.rules) == 0 {
		return nil
	}
	sent := leavesOf(r, true)
	for i := range op.rules {
		if op.rules[i].holds(r, sent) {
			return &op.rules[i]
		}
	}
	return nil
}

func (l rule) holds(r validate.Request, sent leaves) bool {
	for _, c := range l.conditions {
		var value string
		var ok bool
		switch c.in {
		case "body":
			value, ok = sent[c.name]
			for place := range sent {
				ok = ok || c.value == "*" && strings.HasPrefix(place, c.name+"/")
			}
		case "header":
			value = r.Header.Get(c.name)
			ok = value != ""
		case "path":
			raw, is := r.Path[c.name]
			plain, err := url.PathUnescape(raw)
			value, ok = plain, is && err == nil
		default:
			value, ok = sent[c.in+"."+c.name]
		}
		if !ok || c.value != "*" && value != c.value {
			return false
		}
	}
	return true
}
