package storage

import (
	"context"
	"errors"
	"testing"

	"github.com/minio/minio-go/v7"

	"heliograph/app/fault"
)

func TestS3FaultTellsOutagesFromOtherErrors(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want fault.Kind
	}{
		{"the caller went away", ended, context.Canceled, fault.Internal},
		{"the dial timed out", t.Context(), context.DeadlineExceeded, fault.Unavailable},
		{"the connection broke", t.Context(), errors.New("EOF"), fault.Unavailable},
		{"the server is overloaded", t.Context(), minio.ErrorResponse{Code: "SlowDown", StatusCode: 503}, fault.Unavailable},
		{"too many requests", t.Context(), minio.ErrorResponse{StatusCode: 429}, fault.Unavailable},
		{"the bucket went away", t.Context(), minio.ErrorResponse{Code: minio.NoSuchBucket, StatusCode: 404}, fault.Unavailable},
		{"no such object", t.Context(), minio.ErrorResponse{Code: minio.NoSuchKey, StatusCode: 404}, fault.NotFound},
		{"a wrong secret", t.Context(), minio.ErrorResponse{Code: minio.AccessDenied, StatusCode: 403}, fault.Internal},
	} {
		if err := s3Fault(c.ctx, "storing an object", c.err); fault.KindOf(err) != c.want || c.want != fault.NotFound && !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want kind %d and the cause within", c.name, err, c.want)
		}
	}
}
