package api

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
)

// upstreamReceiver takes what carriers of the messaging channel post.
type upstreamReceiver interface {
	Challenge(ctx context.Context, carrier string, query url.Values) (string, error)
	Receive(ctx context.Context, carrier string, body []byte, signature string) error
}

// maxPost is the largest post that is taken, in bytes. Upstreams post 3 MB at most.
const maxPost = 4 << 20

// mostLarge is how many posts over maxReport are read at once. Their signature is known
// when they have arrived, so one client gets a quarter of the places, and an upstream
// that finds none posts again.
const mostLarge = 8

// carrierOfPosts returns the carrier that posts to the address of a request.
func carrierOfPosts(r *http.Request) (carrier string, ok bool) {
	return pipeline.ParseEventsPath(r.URL.Path, messaging.Channel)
}

// takePost answers the challenge of an upstream, or stores what it posts.
func (s *Reports) takePost(c echo.Context, carrier string) error {
	r := c.Request()
	ctx := r.Context()
	switch r.Method {
	case http.MethodGet:
		answer, err := s.upstream.Challenge(ctx, carrier, c.QueryParams())
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, answer)
	case http.MethodPost:
		if r.ContentLength < 0 || r.ContentLength > maxReport {
			leave, ok := s.large.Enter(limit.Client(c.RealIP()))
			if !ok {
				return busy(fault.Unavailable)
			}
			defer leave()
		}
		body, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, maxPost))
		if err != nil {
			return fault.New(fault.TooLarge, "The post cannot be read, or is larger than 4 MB.")
		}
		err = s.store(ctx, func() error { return s.upstream.Receive(ctx, carrier, body, r.Header.Get("X-Hub-Signature-256")) })
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, "ok")
	}
	c.Response().Header().Set(echo.HeaderAllow, "GET, POST")
	return fault.New(fault.NotFound, "Upstreams verify this address by GET and post to it.")
}
