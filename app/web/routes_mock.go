package web

import (
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/mock"
	"heliograph/app/documentation/reference"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	mockpage "heliograph/app/web/reader/mock"
)

// newMocks returns the rule of the mock server, nil without documentation.
func newMocks(deps Deps) *mock.Service {
	if deps.Documentation == nil {
		return nil
	}
	return mock.New(mock.Options{
		Documentation: deps.Documentation, Site: reference.Site{URL: strings.TrimSuffix(deps.Config.PublicURL, "/")},
		Rate: mock.Rate{PerSecond: deps.Config.RateMock, Burst: 10 * deps.Config.RateMock},
		DB:   deps.DB, Key: deps.Keyring.Subkey("mock"), Sending: newSending(deps),
	})
}

// newSending returns what the callbacks of mocks need, nil where nothing can be sent.
func newSending(deps Deps) *mock.Sending {
	if deps.Authenticate == nil || deps.CheckURL == nil || deps.Jobs == nil {
		return nil
	}
	return &mock.Sending{Authenticate: deps.Authenticate, CheckURL: deps.CheckURL, Limiter: limit.New(deps.DB, deps.Keyring), DB: deps.DB, Jobs: deps.Jobs}
}

// mockAPI is the surface of the mock server.
func mockAPI(s *Server) API {
	h := mockpage.New(mockpage.Deps{Mocks: s.mocks})
	return API{Name: "mock", Prefixes: []string{mock.Prefix}, Handle: h.Handle, Fail: s.failMock, BodyLimit: mockpage.BodyLimit}
}

// failMock answers what the chain refused: a panic or an unknown method.
func (s *Server) failMock(c echo.Context, err error) error {
	f := page.Fault(err)
	status := page.Status(f)
	response := s.mocks.Fail(status, f.Message, requestIDOf(c))
	return mockpage.Fail(c, response)
}
