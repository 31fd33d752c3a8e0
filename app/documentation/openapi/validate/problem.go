package validate

import (
	"cmp"
	"slices"
	"strings"
)

// Location is the part of a request or response that has a problem.
type Location string

// The locations, in the order in which problems are listed.
const (
	Path   Location = "path"
	Query  Location = "query"
	Header Location = "header"
	Cookie Location = "cookie"
	Status Location = "status"
	Body   Location = "body"
)

var locations = []Location{Path, Query, Header, Cookie, Status, Body}

// Problem is one place where a request or response breaks its document.
type Problem struct {
	Location Location
	Name     string // of the parameter or header, "" for bodies and statuses
	Pointer  string // RFC 6901, within the value; "" is the whole value
	// Code is the keyword of JSON Schema that is broken, or readOnly,
	// writeOnly, contentType, encoding, repeated, required, unexpected,
	// status, syntax, size, depth, values or work.
	Code    string
	Message string // a sentence that says what to change
}

// report collects problems.
type report struct {
	limits limitSet
	list   []Problem
	work   int // applications of schemas to values
}

func (r *report) add(p Problem) { r.list = append(r.list, p) }

// sorted returns the problems in a stable order, without repeats and within
// the limit.
func (r *report) sorted() []Problem {
	slices.SortFunc(r.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(slices.Index(locations, a.Location), slices.Index(locations, b.Location)),
			strings.Compare(a.Name, b.Name), strings.Compare(a.Pointer, b.Pointer),
			strings.Compare(a.Code, b.Code), strings.Compare(a.Message, b.Message))
	})
	r.list = slices.Compact(r.list)
	return r.list[:min(len(r.list), r.limits.Problems)]
}
