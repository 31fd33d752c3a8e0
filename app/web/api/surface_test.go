package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/people/identity"
)

// A channel with other habits: no name in its paths, its own binder, ids of two
// kinds under one path and its own words for what it refuses.
func newOther() *surface {
	s := &surface{
		channel: "other", prefix: "/other",
		bind: func(c *call, in any) error {
			in.(*strings.Builder).WriteString(c.query.Get("text"))
			return nil
		},
		kind: func(_ context.Context, _ int64, id string) (string, error) {
			return strings.TrimRight(id, "0123456789"), nil
		},
		refusals: refusals{
			path: func(path string) error { return errors.New("nothing at " + path) },
			method: func(method string, allowed []string) error {
				return errors.New(method + " is not " + strings.Join(allowed, "/"))
			},
			kind:  func(_, id, kind string) error { return errors.New(id + " is a " + kind) },
			scope: func(channel string) error { return errors.New("not for " + channel) },
		},
	}
	say := func(what string) func(context.Context, *call, strings.Builder) (string, error) {
		return func(_ context.Context, c *call, in strings.Builder) (string, error) {
			return what + in.String() + c.params["id"], nil
		}
	}
	s.table = []operation{
		op("submit", http.MethodGet, "/submit", say("submitted ")),
		op("bot", http.MethodGet, "/{id}", say("bot ")).of("bot"),
		op("user", http.MethodGet, "/{id}", say("user ")).of("user"),
	}
	return s
}

func TestSurfaceServesAnyChannel(t *testing.T) {
	t.Parallel()
	s := newOther()
	for _, tt := range []struct{ method, target, want string }{
		{"GET", "/submit?text=hello", "submitted hello"},
		{"GET", "/bot7", "bot bot7"},
		{"GET", "/user7", "user user7"},
		{"GET", "/page7", "page7 is a page"},
	} {
		r := httptest.NewRequest(tt.method, tt.target, nil)
		routes, _ := s.match(r.Method, r.URL.EscapedPath())
		found, err := s.choose(t.Context(), identity.Caller{OrganisationID: 1}, routes)
		if err != nil {
			if err.Error() != tt.want {
				t.Errorf("%s %s: %v, want %s", tt.method, tt.target, err, tt.want)
			}
			continue
		}
		got, err := found.run(t.Context(), &call{surface: s, params: found.params, query: r.URL.Query(), request: r})
		if err != nil || got != tt.want {
			t.Errorf("%s %s: %v, %v, want %s", tt.method, tt.target, got, err, tt.want)
		}
	}
	if routes, allowed := s.match("POST", "/submit"); len(routes) != 0 || strings.Join(allowed, " ") != "GET" {
		t.Errorf("POST /submit: %d routes, allowed %v", len(routes), allowed)
	}
}

// What the shared parts refuse says what to change, and leaves the headline and
// the code to the channel.
func TestSharedPartsLeaveTheWordsToTheChannel(t *testing.T) {
	t.Parallel()
	s := newOther()
	c := &call{surface: s, request: httptest.NewRequest("POST", "/", nil), body: []byte("{")}
	large, _ := http.NewRequest("POST", "/", strings.NewReader("12345"))
	_, tooLong := readBody(httptest.NewRecorder(), large, 4, 9)
	broken := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader("1"), failing{}))
	_, incomplete := readBody(httptest.NewRecorder(), broken, 4, 9)
	_, badPage := listInput{Limit: "0"}.page(nil)
	_, badKey := page{After: "x"}.ids()
	for name, err := range map[string]error{
		"a body that is no JSON": bindMembers(c, &struct{}{}), "a body that is too large": tooLong, "a body that breaks off": incomplete,
		"a limit": badPage, "a cursor": badKey,
	} {
		f := fault.As(err)
		if f == nil || f.Code != "" || len(f.Fields) != 1 || f.Message != "" && f.Message != f.Fields[0].Message {
			t.Errorf("%s: %+v, want a fault with a field alone", name, f)
		}
	}
}

// A list refuses the cursors of another list.
func TestCursorsBelongToTheirList(t *testing.T) {
	t.Parallel()
	own, other := &call{operation: &operation{id: "listTemplates"}}, &call{operation: &operation{id: "listProducts"}}
	in := listInput{After: input.Text(own.cursor("31"))}
	if ids, err := in.ids(own); err != nil || ids.After != 31 {
		t.Errorf("its own cursor: %+v, %v", ids, err)
	}
	for _, cursor := range []string{other.cursor("31"), "MzE", "*", own.cursor("")} {
		in := listInput{Before: input.Text(cursor)}
		if _, err := in.page(own); fault.As(err) == nil || !strings.Contains(fault.As(err).Fields[0].Message, "not a cursor of this list") {
			t.Errorf("%q: %v", cursor, err)
		}
	}
}

// A body with too many values is read no further than it takes to see it, and one that
// has as many as it may is read whole.
func TestHostileBodiesAreNotReadToTheEnd(t *testing.T) {
	t.Parallel()
	body := "[0" + strings.Repeat(",0", 499_999) + "]"
	for _, tt := range []struct{ values, most int }{{500_001, len(body)}, {50_000, 2 * firstRead}, {10, firstRead}} {
		for _, length := range []int64{int64(len(body)), -1} {
			rest := strings.NewReader(body)
			r := httptest.NewRequest("POST", "/", io.NopCloser(rest))
			r.ContentLength = length
			got, err := readBody(httptest.NewRecorder(), r, 1<<20, tt.values)
			if read := len(body) - rest.Len(); read > tt.most || (err == nil) != (tt.most == len(body)) || err == nil && string(got) != body {
				t.Errorf("%d values of a body of length %d: read %d bytes, %v", tt.values, length, read, err)
			}
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
