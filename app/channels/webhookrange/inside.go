package webhookrange

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"heliograph/app/fault"
)

func parseQuery(query string) url.Values {
	values, _ := url.ParseQuery(query) // what can be read of it
	return values
}

// Owns reports whether an address is one of a range of this installation.
func (s *Service) Owns(u *url.URL) bool {
	if s.base == nil || !strings.EqualFold(u.Scheme, s.base.Scheme) || !strings.EqualFold(u.Host, s.base.Host) || u.User != nil {
		return false
	}
	token, under := strings.CutPrefix(u.Path, strings.TrimSuffix(s.base.Path, "/")+Prefix+"/")
	return under && len(token) == base64Length && !strings.Contains(token, "/")
}

// RoundTrip takes a request of the relay to an address that Owns accepts, waits as long
// as the range says and returns its answer. Nothing is dialled.
func (s *Service) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := readBody(r.Body)
	if err != nil {
		return nil, err
	}
	ctx := r.Context()
	_, token, _ := strings.Cut(r.URL.Path, Prefix+"/")
	answer, err := s.Take(ctx, token, Request{Method: r.Method, Query: r.URL.RawQuery, Header: r.Header, Body: body})
	if f := fault.As(err); f != nil {
		answer, err = Answer{Status: Status(err), Body: f.Message}, nil
	}
	if err == nil {
		err = Wait(ctx, answer.Delay)
	}
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status: strconv.Itoa(answer.Status) + " " + http.StatusText(answer.Status), StatusCode: answer.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {ContentType}}, Body: io.NopCloser(strings.NewReader(answer.Body)), ContentLength: int64(len(answer.Body)), Request: r,
	}, nil
}

// ContentType is the type of every answer: text, whatever it says.
const ContentType = "text/plain; charset=utf-8"

// Status returns the status of an answer that refuses a request.
func Status(err error) int {
	switch {
	case errors.Is(err, errEnded):
		return http.StatusGone
	case fault.Is(err, fault.TooLarge):
		return http.StatusRequestEntityTooLarge
	case fault.Is(err, fault.Limited):
		return http.StatusTooManyRequests
	}
	return http.StatusServiceUnavailable
}

// Wait waits for the delay of an answer.
func Wait(ctx context.Context, delay time.Duration) error {
	if delay <= 0 {
		return nil
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func readBody(body io.ReadCloser) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	defer body.Close()
	var b bytes.Buffer
	_, err := b.ReadFrom(io.LimitReader(body, MaxBody+1))
	return b.Bytes(), err
}
