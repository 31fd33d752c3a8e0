package assistant

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/mcp"
	"heliograph/app/web/page"
)

// Codes of the errors of JSON-RPC.
const (
	codeInvalidRequest = -32600
	codeUnknownMethod  = -32601
)

// response is an error that answers a message.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   responseError   `json:"error"`
}

type responseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// answers are the answers to messages that the library would refuse together with
// all others of their batch.
type answers struct {
	own  []any             // errors of messages that cannot be handled
	rest []json.RawMessage // messages for the library
}

// sortOut separates the messages that the library cannot handle. A notification of an
// unknown method has no answer.
func sortOut(body []byte) (a answers, isBatch, found bool) {
	body = bytes.TrimSpace(body)
	var raw []json.RawMessage
	if isBatch = len(body) > 0 && body[0] == '['; !isBatch {
		raw = []json.RawMessage{body}
	} else if json.Unmarshal(body, &raw) != nil {
		return a, isBatch, false
	}
	for _, one := range raw {
		m := readMessage(one)
		if len(m.methods) == 0 || m.methods[0] == "" {
			a.rest = append(a.rest, one)
			continue
		}
		refused := responseError{}
		switch {
		case !isUsableID(m.ID):
			refused = responseError{codeInvalidRequest, "id must be a text, or a whole number of at most 64 bits"}
		case !slices.ContainsFunc(m.methods, mcp.IsMethod):
			refused = responseError{codeUnknownMethod, "The method " + strconv.Quote(m.methods[0]) + " is not known"}
		default:
			a.rest = append(a.rest, one)
			continue
		}
		if found = true; m.ID != nil {
			a.own = append(a.own, response{"2.0", m.ID, refused})
		}
	}
	return a, isBatch, found
}

// isUsableID reports whether the library repeats an id as it is.
func isUsableID(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' || string(id) == "null" {
		return true
	}
	_, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil
}

// serveSorted answers a body with messages that the library cannot handle: their
// errors stand beside the answers to the others.
func (e *Endpoint) serveSorted(c echo.Context, a answers, isBatch bool) error {
	all := []json.RawMessage{}
	if len(a.rest) > 0 {
		body, err := json.Marshal(a.rest)
		if err != nil {
			return err
		}
		r := c.Request()
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		kept := &keptResponse{header: http.Header{}}
		e.handler.ServeHTTP(kept, r)
		if kept.status >= http.StatusBadRequest {
			return c.Blob(kept.status, kept.header.Get(echo.HeaderContentType), kept.body.Bytes())
		}
		if answer := bytes.TrimSpace(kept.body.Bytes()); len(answer) > 0 && answer[0] == '[' {
			if err := json.Unmarshal(answer, &all); err != nil {
				return err
			}
		} else if len(answer) > 0 {
			all = append(all, answer)
		}
	}
	for _, own := range a.own {
		text, err := json.Marshal(own)
		if err != nil {
			return err
		}
		all = append(all, text)
	}
	switch {
	case len(all) == 0:
		return c.NoContent(http.StatusAccepted)
	case !isBatch:
		return page.JSON(c, http.StatusOK, echo.MIMEApplicationJSON, all[0])
	}
	return page.JSON(c, http.StatusOK, echo.MIMEApplicationJSON, all)
}

// keptResponse keeps a response to add to it.
type keptResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the headers.
func (k *keptResponse) Header() http.Header { return k.header }

// WriteHeader keeps the status.
func (k *keptResponse) WriteHeader(status int) {
	k.status = cmp.Or(k.status, status)
}

// Write keeps a part of the body.
func (k *keptResponse) Write(part []byte) (int, error) {
	k.WriteHeader(http.StatusOK)
	return k.body.Write(part)
}
