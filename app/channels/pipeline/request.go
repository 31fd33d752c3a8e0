package pipeline

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"time"
)

// requestKey is the key of the request id in a context.
type requestKey struct{}

// WithRequest returns a context. Messages in it are stored with the id of a request.
func WithRequest(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// requestOf returns the id of the request of a context, or "".
func requestOf(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

// NewRequestID returns the id of a request: the milliseconds since 1970 and 48
// random bits, in 24 hexadecimal digits. Messages are found by it without an index.
func NewRequestID(now time.Time, random uint64) string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], uint64(now.UnixMilli())<<16)
	binary.BigEndian.PutUint64(id[6:14], random)
	return hex.EncodeToString(id[:12])
}

// ParseRequestTime returns when a request began. ok is false for another text.
func ParseRequestTime(id string) (at time.Time, ok bool) {
	raw, err := hex.DecodeString(id)
	if err != nil || len(raw) != 12 {
		return at, false
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(raw) >> 16)), true
}
