package mock

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"heliograph/app/documentation/openapi/validate"
)

// problemType is the content type of problems (RFC 9457).
const problemType = "application/problem+json"

// problem is why the mock did not answer as documented.
type problem struct {
	Type      string   `json:"type"`
	Title     string   `json:"title"`
	Status    int      `json:"status"`
	Detail    string   `json:"detail"`
	Operation string   `json:"operation,omitempty"` // operationId
	Errors    []detail `json:"errors,omitempty"`
	Nearest   []near   `json:"nearest,omitempty"`
	RequestID string   `json:"request_id,omitempty"`
}

// detail is one place of a request that must change.
type detail struct {
	Location string `json:"location"`          // path, query, header, cookie or body
	Name     string `json:"name,omitempty"`    // of the parameter or header
	Pointer  string `json:"pointer,omitempty"` // RFC 6901, within the value
	Code     string `json:"code"`
	Message  string `json:"message"`
}

// near is a documented operation that resembles the request.
type near struct {
	Name string `json:"name"` // method and path
	URL  string `json:"url"`  // of its page
}

// The kinds of problems. Each is the heading of an explanation in the guide.
const (
	kindNoProduct   = "not-published"
	kindNoOperation = "no-operation"
	kindMethod      = "method-not-allowed"
	kindCredentials = "credentials-missing"
	kindMedia       = "content-type-not-documented"
	kindInvalid     = "request-invalid"
	kindAccept      = "not-acceptable"
	kindPreference  = "preference-invalid"
	kindUndefined   = "response-not-documented"
	kindTooLarge    = "body-too-large"
	kindLimited     = "too-many-requests"
	kindBusy        = "mock-busy"
	kindBroken      = "documentation-broken"
	kindState       = "state-refused"
	kindCallback    = "callback-refused"
	kindFault       = "fault-requested"
)

// titles are the titles of problems by their kind.
var titles = map[string]string{
	kindNoProduct: "Not published", kindNoOperation: "No operation has this path", kindMethod: "The path has no operation with this method",
	kindCredentials: "Credentials are missing", kindMedia: "The content type is not documented", kindInvalid: "The request breaks its contract",
	kindAccept: "No documented content type is acceptable", kindPreference: "A preference cannot be used", kindUndefined: "The response is not documented",
	kindTooLarge: "The body is too large", kindLimited: "Too many requests", kindBusy: "The mock is busy", kindBroken: "The documentation cannot be read",
	kindState: "The state refuses the request", kindCallback: "The callback cannot be sent", kindFault: "A failure was requested",
}

// refusal makes the answer of a problem.
func refusal(kind string, status int, detail string, errors ...detail) *answer {
	return &answer{
		Status:  status,
		Header:  http.Header{"Content-Type": {problemType}},
		Problem: &problem{Type: kind, Title: titles[kind], Status: status, Detail: detail, Errors: errors},
	}
}

// encode writes a problem. Its type becomes an address below base.
func (p problem) encode(base string) []byte {
	p.Type = base + p.Type
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(p); err != nil {
		return []byte("{}\n") // texts and numbers always encode
	}
	return b.Bytes()
}

// details turns what validators find into details.
func details(problems []validate.Problem) []detail {
	list := make([]detail, len(problems))
	for i, p := range problems {
		list[i] = detail{Location: string(p.Location), Name: p.Name, Pointer: p.Pointer, Code: p.Code, Message: p.Message}
	}
	return list
}

// words joins names for a sentence.
func words(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
