package console

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/app/documentation/published"
)

// Checks is what the contract says about a call and its answer.
type Checks struct {
	// Problems are in the order request, answer.
	Problems []Problem
	// Codes are documented error codes of the answer.
	Codes []Code
	// Skipped lists what of the operation is not checked.
	Skipped []string
	// Status is the documented status that the answer falls under, "" for none.
	Status string
	// Refusal is set where the mock server answered for itself.
	Refusal *refusal
}

// refusal is why the mock server gave no documented answer.
type refusal struct {
	Title, Detail string
	Help          string // address of an explanation
}

// Problem is one place where a request or an answer breaks the contract.
type Problem struct {
	InRequest bool
	Place     string // "body.template.name", "query.limit", "status"
	Anchor    string // of the field on the endpoint's page; it may be inexact, and is found from left to right
	Message   string
}

// Code is an error code with its meaning in the contract.
type Code struct{ Code, Meaning, Remedy string }

// check holds a request and its answer against the contract.
func check(ctx context.Context, v *published.Version, e *model.Endpoint, r *Result, sent *http.Request) (c Checks, err error) {
	rules, err := validator(ctx, v)
	if err != nil {
		return c, err
	}
	header := sent.Header.Clone()
	request, err := rules.Request(e.ID, validate.Request{Path: r.Call.path, Query: sent.URL.RawQuery, Header: header, Body: r.Call.revealBody()})
	if err != nil {
		return c, err
	}
	for _, p := range request {
		c.Problems = append(c.Problems, newProblem(p, true, ""))
	}
	if c.Refusal = refusalOf(r); c.Refusal != nil {
		c.Skipped, err = skipped(rules, e)
		return c, err
	}
	if r.Status != 0 && (r.Failure == nil || r.Failure.Code == codeRedirect) {
		c.Status = statusOf(e, r.Status)
		answered := http.Header{}
		for _, h := range r.Header {
			answered.Add(h.Name, h.Value)
		}
		problems, err := rules.Response(e.ID, r.Status, answered, r.Body)
		if err != nil {
			return c, err
		}
		for _, p := range problems {
			c.Problems = append(c.Problems, newProblem(p, false, c.Status))
		}
		c.Codes = codesOf(v, r)
	}
	c.Skipped, err = skipped(rules, e)
	return c, err
}

// refusalOf returns the problem with which the mock server answered, nil for an answer
// from the documentation and for other servers.
func refusalOf(r *Result) *refusal {
	at := slices.IndexFunc(r.Header, func(h Header) bool { return h.Name == "X-Mock-Explain" })
	if !r.Call.isMock || at < 0 || !strings.Contains(r.Header[at].Value, "rule=problem") {
		return nil
	}
	problem := readJSON(string(r.Body))
	return &refusal{Title: problem.Str("title"), Detail: problem.Str("detail"), Help: problem.Str("type")}
}

// statusOf returns the status of a contract that an answer falls under.
func statusOf(e *model.Endpoint, status int) string {
	text := strconv.Itoa(status)
	found := ""
	for _, r := range e.Responses {
		switch {
		case r.Status == text:
			return r.Status
		case strings.EqualFold(r.Status, text[:1]+"XX"):
			found = r.Status
		case r.Status == "default" && found == "":
			found = r.Status
		}
	}
	return found
}

// newProblem places a problem on the endpoint's page.
func newProblem(p validate.Problem, inRequest bool, status string) Problem {
	made := Problem{InRequest: inRequest, Message: p.Message, Place: string(p.Location)}
	anchor := []string{string(p.Location)}
	if !inRequest {
		anchor[0] = "response-" + strings.ToLower(status)
		if p.Location == validate.Header {
			anchor[0] += "-header"
		}
	}
	if p.Name != "" {
		made.Place += "." + p.Name
		anchor = append(anchor, naming.Anchor(p.Name))
	}
	for _, token := range tree.Tokens(p.Pointer) {
		made.Place += "." + token
		if _, err := strconv.Atoi(token); err != nil { // items add nothing to an anchor
			anchor = append(anchor, naming.Anchor(token))
		}
	}
	if status != "" || inRequest {
		made.Anchor = strings.Join(anchor, ".")
	}
	return made
}

// codesOf finds documented error codes in an answer.
func codesOf(v *published.Version, r *Result) (list []Code) {
	if r.Status < 400 || media.KindOf(r.Type) != media.JSON || !isJSON(string(bytes.TrimSpace(r.Body))) {
		return nil
	}
	node := readJSON(string(r.Body))
	if node == nil {
		return nil
	}
	for _, code := range (model.Example{Node: node}).Codes() {
		if known, ok := v.Faults[code]; ok {
			list = append(list, Code{code, known.Meaning, known.Remedy})
		}
	}
	return list
}
