package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/fault"
	"heliograph/app/lists"
)

func unknownPath(path string) error {
	return &fault.Error{Kind: fault.NotFound, Code: "1", Message: "Unknown path",
		Fields: []fault.Field{{Message: "no operation has the path " + path}}}
}

func unsupportedMethod(method string, allowed []string) error {
	return unsupported(method, "use "+strings.Join(allowed, " or ")+" on this path")
}

func unsupportedKind(method, id, kind string) error {
	return unsupported(method, "object "+id+" is a "+strings.ReplaceAll(kind, "_", " ")+", which does not take this request")
}

// deniedScope is the fault of a key that is for other channels only.
func deniedScope(channel string) error {
	return &fault.Error{Kind: fault.Forbidden, Code: "131005", Message: "Access denied",
		Fields: []fault.Field{{Message: "this API key is not for the " + channel + " channel: create one that is"}}}
}

func unsupported(method, detail string) error {
	return &fault.Error{Kind: fault.Invalid, Message: "Unsupported " + strings.ToLower(method) + " request", Fields: []fault.Field{{Message: detail}}}
}

// headlines holds the messages of faults without a message.
var headlines = map[fault.Kind]string{fault.Invalid: "Invalid parameter", fault.TooLarge: "Request body is too large", fault.Unsupported: "Invalid parameter"}

// graphError is the error object that clients of the channel read.
type graphError struct {
	Message   string     `json:"message"`
	Type      string     `json:"type"`
	Code      int        `json:"code"`
	Subcode   int        `json:"error_subcode,omitempty"`
	Data      *graphData `json:"error_data,omitempty"`
	Transient bool       `json:"is_transient,omitempty"`
	UserTitle string     `json:"error_user_title,omitempty"`
	UserText  string     `json:"error_user_msg,omitempty"`
	Href      string     `json:"href"`
	TraceID   string     `json:"fbtrace_id"`
}

type graphData struct {
	MessagingProduct string `json:"messaging_product"`
	Details          string `json:"details"`
}

const (
	codeKey       = 190
	codeStorage   = 131053
	codeObject    = 803
	subcodeObject = 33
	typeOAuth     = "OAuthException"
	typeGraph     = "GraphMethodException"
)

// Fail writes an error in the channel's envelope: always JSON.
func (m *Messaging) Fail(c echo.Context, err error) error {
	f := fault.As(err)
	if f == nil {
		f = &fault.Error{Kind: fault.Internal, Err: err}
	}
	status, e := m.envelope(f)
	e.Href = m.base + messaging.Declaration.ErrorEntry(e.Code)
	e.TraceID = c.Response().Header().Get(echo.HeaderXRequestID)
	body, err := json.Marshal(map[string]graphError{"error": e})
	if err != nil {
		return fmt.Errorf("writing the error: %w", err)
	}
	m.noteRefused(c, status, e.Code)
	return writeJSON(c, status, body)
}

// envelope gives the HTTP status and error object of a fault. The statuses
// come from the specification; throttles are 400, as partners' clients expect.
func (m *Messaging) envelope(f *fault.Error) (int, graphError) {
	defaults := map[fault.Kind]struct{ status, code int }{
		fault.Internal: {500, 2}, fault.Invalid: {400, 100}, fault.Unauthenticated: {401, 190}, fault.Forbidden: {403, 200},
		fault.NotFound: {404, codeObject}, fault.Conflict: {400, 100}, fault.TooLarge: {400, 100}, fault.Unsupported: {400, 100},
		fault.Limited: {400, 80007}, fault.Unavailable: {500, 2},
	}[f.Kind]
	e := graphError{Type: typeOAuth, Code: defaults.code, Transient: f.Kind == fault.Unavailable}
	if code, err := strconv.Atoi(f.Code); err == nil {
		e.Code = code
	}
	e.Message = "(#" + strconv.Itoa(e.Code) + ") " + cmp.Or(f.Message, headlines[f.Kind])
	switch {
	case f.Kind == fault.Internal:
		e.Type, e.Message = typeGraph, "An unknown error has occurred"
	case e.Code == codeStorage:
		defaults.status = 400 // a server error, but clients look for it under this status
	case f.Kind == fault.Unavailable:
		e.Type = typeGraph
	case e.Code == codeKey:
		e.Message, e.Data = "Invalid API key", m.details(f.Message)
	case e.Code == codeObject:
		e.Type, e.Subcode, e.Message = typeGraph, subcodeObject, f.Message
	}
	if len(f.Fields) > 0 {
		details := lists.Map(f.Fields, func(field fault.Field) string { return field.Message })
		e.Data = m.details(strings.Join(details, "; "))
	}
	if e.Code == defaults.code && f.Kind == fault.Invalid && len(f.Fields) == 0 && f.Message != "" {
		e.Message, e.Data = "(#"+strconv.Itoa(e.Code)+") "+headlines[fault.Invalid], m.details(f.Message)
	}
	if f.Subcode != 0 {
		e.Subcode, e.UserTitle, e.UserText = f.Subcode, f.Title, e.Data.Details
	}
	return defaults.status, e
}

func (m *Messaging) details(text string) *graphData {
	return &graphData{MessagingProduct: m.words.names[0], Details: text}
}
