// Package spectest judges by an API document what a service was sent and what
// it answered. It is for tests.
package spectest

import (
	"net/http"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/validate"
)

// Contract is what a document promises of its operations. It is safe for
// concurrent use.
type Contract struct {
	ids       []string
	routes    []route
	validator *validate.Validator
}

// brokenError lists how a request or a response breaks the contract.
type brokenError struct {
	Operation string
	Problems  []validate.Problem
}

// Error lists the problems, one a line.
func (e *brokenError) Error() string {
	lines := []string{e.Operation + " breaks its contract:"}
	for _, p := range e.Problems {
		lines = append(lines, strings.Join(strings.Fields(string(p.Location)+" "+p.Name+" "+p.Pointer+" ("+p.Code+"): "+p.Message), " "))
	}
	return strings.Join(lines, "\n\t")
}

// New reads a document, OpenAPI 3.0 or 3.1 as JSON or YAML. Its errors
// come from [spec.Read].
func New(document []byte) (*Contract, error) {
	read, err := openapi.Read(document)
	if err != nil {
		return nil, err
	}
	assembly, err := openapi.Assemble(read.Parts)
	if err != nil {
		return nil, err
	}
	c := &Contract{validator: validate.New(assembly)}
	for _, o := range assembly.Operations {
		c.ids = append(c.ids, o.ID)
		c.routes = append(c.routes, newRoute(o.ID, o.Method, o.Route))
	}
	return c, nil
}

// Operations lists the operation ids in document order, variants included.
func (c *Contract) Operations() []string { return slices.Clone(c.ids) }

// Warnings lists what is not checked of an operation.
func (c *Contract) Warnings(operationID string) ([]validate.Warning, error) {
	return c.validator.Warnings(operationID)
}

// RequestParameters checks a request but for its body: its path, query, headers
// and cookies.
func (c *Contract) RequestParameters(operationID string, r validate.Request) error {
	problems, err := c.validator.Request(operationID, r)
	isOfBody := func(p validate.Problem) bool { return !isBeside(p) }
	return broken(operationID, slices.DeleteFunc(problems, isOfBody), err)
}

// RequestBody checks the body of a request alone.
func (c *Contract) RequestBody(operationID, contentType string, body []byte) error {
	problems, err := c.validator.Request(operationID, validate.Request{Header: typed(contentType), Body: body})
	return broken(operationID, slices.DeleteFunc(problems, isBeside), err)
}

// Response checks a response: its status, headers and body.
func (c *Contract) Response(operationID string, status int, header http.Header, body []byte) error {
	problems, err := c.validator.Response(operationID, status, header, body)
	return broken(operationID, problems, err)
}

// ResponseBody checks the status and the body of a response alone.
func (c *Contract) ResponseBody(operationID string, status int, contentType string, body []byte) error {
	problems, err := c.validator.Response(operationID, status, typed(contentType), body)
	return broken(operationID, slices.DeleteFunc(problems, isBeside), err)
}

func typed(contentType string) http.Header {
	return http.Header{"Content-Type": {contentType}}
}

// isBeside reports whether a problem is neither one of the body nor of the
// status.
func isBeside(p validate.Problem) bool {
	return p.Location != validate.Body && p.Location != validate.Status && p.Name != "Content-Type"
}

func broken(operationID string, problems []validate.Problem, err error) error {
	if err != nil || len(problems) == 0 {
		return err
	}
	return &brokenError{operationID, problems}
}
