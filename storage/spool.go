package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"heliograph/app/fault"
)

// spool copies body to dst within the limits of o, which check has filled in,
// and returns the number of bytes and their SHA-256. It stops at the first
// read after ctx has ended.
func spool(ctx context.Context, dst io.Writer, body io.Reader, o PutOptions) (size int64, sum string, err error) {
	hash := sha256.New()
	src := &source{ctx: ctx, body: body}
	// Read one byte past the limit to detect a body that is too large.
	size, err = io.Copy(io.MultiWriter(dst, hash), io.LimitReader(src, o.Limit+1))
	switch {
	case src.err != nil:
		return 0, "", fmt.Errorf("reading the body: %w", src.err)
	case err != nil:
		return 0, "", unavailable("writing the body", err)
	case size > o.Limit:
		return 0, "", tooLarge(o.Limit)
	case o.Size > 0 && size != o.Size:
		return 0, "", fault.New(fault.Invalid, "The file has %d bytes, but %d were announced.", size, o.Size)
	}
	return size, hex.EncodeToString(hash.Sum(nil)), nil
}

// source records an error of the body, because io.Copy does not distinguish it
// from a write error.
type source struct {
	ctx  context.Context
	body io.Reader
	err  error
}

func (s *source) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		s.err = err
		return 0, err
	}
	n, err := s.body.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
