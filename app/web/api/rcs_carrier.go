package api

import (
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/fault"
)

// carrierOfEvents returns the carrier that posts events to the address of a
// request.
func carrierOfEvents(r *http.Request) (carrier string, ok bool) {
	carrier, ok = pipeline.ParseEventsPath(r.URL.Path, rcs.Channel)
	return carrier, ok && r.Method == http.MethodPost
}

// receiveEvent takes an event that a carrier has signed.
func (s *Reports) receiveEvent(c echo.Context, carrier string) error {
	body, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return fault.New(fault.Invalid, "The event cannot be read.")
	}
	var answer string
	ctx := c.Request().Context()
	err = s.store(ctx, func() (err error) {
		answer, err = s.events.Receive(ctx, carrier, body, c.Request().Header.Get("X-Goog-Signature"))
		return err
	})
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, answer)
}
