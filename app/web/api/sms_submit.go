package api

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"heliograph/app/channels/sms"
	"heliograph/app/fault"
)

// maxQuery is the maximum length of a query that submits, in bytes.
const maxQuery = 8 << 10

// submission is what a request to submit was read as, or the reason why some of
// it cannot be used.
type submission struct {
	request *sms.Submission
	err     error
}

// readSubmission reads the body or the query of a request. An error without a
// submission means that the request cannot be read at all.
func readSubmission(c *call) (*sms.Submission, error) {
	if len(c.request.URL.RawQuery) > maxQuery {
		return nil, unreadable("the address has more than %d bytes: send it by POST", maxQuery)
	}
	values := c.query
	if c.malformed != nil {
		return nil, unreadable("the query cannot be read: encode each value for URLs")
	}
	if c.operation.id == "submitSms" {
		if err := wantsJSONBody(c.request, c.body); err != nil {
			return nil, err
		}
		request, err := sms.ReadJSON(c.body)
		return request, asFaultIf(request == nil, err)
	}
	if c.request.Method == http.MethodPost && len(c.body) > 0 {
		if kind, _, _ := mime.ParseMediaType(c.request.Header.Get("Content-Type")); kind != "application/x-www-form-urlencoded" {
			return nil, unreadable("send a form, or JSON to JSONGenericReceiver")
		}
		form, err := url.ParseQuery(string(c.body))
		if err != nil {
			return nil, unreadable("the form cannot be read: encode it as application/x-www-form-urlencoded")
		}
		maps.Copy(values, form)
	}
	return sms.ReadValues(values)
}

// asFaultIf makes a fault of a refusal that ends the request.
func asFaultIf(ends bool, err error) error {
	if ends {
		return asFault(err)
	}
	return err
}

func unreadable(format string, args ...any) error {
	return asFault(&sms.Refusal{Code: sms.CodeBadRequest, Detail: fmt.Sprintf(format, args...), Unreadable: true})
}

// submit accepts messages and answers with an outcome for each recipient.
func (s *SMS) submit(ctx context.Context, c *call, _ none) (sms.Response, error) {
	read := c.read.(*submission)
	body := c.body
	if c.request.Method == http.MethodGet {
		body = []byte(c.request.URL.RawQuery)
	}
	response, err := s.service.Submit(ctx, sms.SubmitRequest{
		OrganisationID: c.caller.OrganisationID, Submission: read.request, Unusable: read.err, Body: body, Key: c.key(),
	})
	c.refused = refusedCode(response)
	return s.linked(response), err
}

// refusedCode returns the code of a response that refuses the request or a recipient,
// the first one, else 0.
func refusedCode(r sms.Response) int {
	if r.Status.Code != sms.CodeAccepted {
		return int(r.Status.Code)
	}
	for _, m := range r.Messages {
		if m.Code != sms.CodeAccepted {
			return int(m.Code)
		}
	}
	return 0
}

// linked adds the addresses of the codes of a response that are errors.
func (s *SMS) linked(r sms.Response) sms.Response {
	s.link(&r.Status)
	if refusedCode(r) == 0 {
		return r
	}
	r.Messages = slices.Clone(r.Messages)
	for i := range r.Messages {
		if code := r.Messages[i].Code; code != sms.CodeAccepted {
			r.Messages[i].Href = s.base + sms.Declaration.ErrorEntry(int(code))
		}
	}
	return r
}

// link adds the address of the code of a status that is an error.
func (s *SMS) link(status *sms.Status) {
	if status.Code != sms.CodeAccepted {
		status.Href = s.base + sms.Declaration.ErrorEntry(int(status.Code))
	}
}

// report answers with the state of a message.
func (s *SMS) report(ctx context.Context, c *call, _ none) (sms.ReportResponse, error) {
	response, err := s.service.Report(ctx, c.caller.OrganisationID, c.query.Get("msg_id"))
	s.link(&response.Status)
	if response.Status.Code != sms.CodeAccepted {
		c.refused = int(response.Status.Code)
	}
	return response, err
}

// refusedSubmission gives the HTTP status and the body of a fault. Refusals with a
// code are answered with 200, except for a blocked address.
func (s *SMS) refusedSubmission(f *fault.Error) (int, sms.Response) {
	status, code := statusOf(f), sms.CodeBadRequest
	switch {
	case f.Kind == fault.Unauthenticated:
		status, code = http.StatusOK, sms.CodeCredentials
	case status >= http.StatusInternalServerError:
		code = sms.CodeInternal
	case f.Kind == fault.Limited:
		code = sms.CodeAccess
	case f.Kind == fault.Forbidden:
		code = sms.CodeInactive // the organisation of the key
	}
	if n, err := strconv.Atoi(f.Code); err == nil {
		code = sms.Code(n)
	}
	if f.Kind == fault.Forbidden && code != sms.CodeAddress {
		status = http.StatusOK
	}
	response := sms.NewResponse(time.Now())
	response.Status = sms.Status{Code: code, Desc: cmp.Or(explain(f), code.Meaning())}
	if f.Kind == fault.Internal {
		response.Status.Desc = (&sms.Refusal{Code: code}).Error()
	}
	return status, s.linked(response)
}
