// Package storage keeps the files of Heliograph: media, uploads and SDK
// builds. One interface has two homes: an S3 server, for production, and a
// folder, the embedded default. Both pass the contract of storage/storagetest.
//
// A missing object is a fault NotFound; storage that cannot be reached, or
// cannot write, is a fault Unavailable; a cancelled context comes back as its
// own error. What a caller sends wrongly is named at each method.
package storage

import (
	"context"
	"fmt"
	"io"
	"iter"
	"mime"
	"time"

	"heliograph/app/fault"
)

const (
	// MaxSize is the most bytes that any one object has: 1 GiB.
	MaxSize = 1 << 30

	// MaxURLLife is the longest life of a URL: a link that leaks is soon
	// worthless.
	MaxURLLife = 5 * time.Minute

	maxContentType = 255 // bytes
)

// Store keeps objects under typed keys. Its methods may be called from several
// goroutines. A key that is not valid is a fault Invalid everywhere.
type Store interface {
	// Put reads body to its end and keeps it under the key, in place of what
	// was there. Readers see the old object or the new one, never a part; when
	// Put fails nothing has changed. Memory stays small at every size.
	// Faults: TooLarge over the limit; Invalid for a body that is not of the
	// size announced and for a malformed content type. An error of body itself
	// is wrapped, not a fault. The result has no Modified; it alone tells
	// whether the object is retained.
	Put(ctx context.Context, key Key, body io.Reader, o PutOptions) (Object, error)

	// Get opens the bytes of the range; the object tells its full size. The
	// caller closes the reader. A range that starts at or past the end is a
	// fault Invalid, except the start of an empty object; one that ends past
	// the end is cut there.
	Get(ctx context.Context, key Key, r Range) (io.ReadCloser, Object, error)

	// Stat describes the object without its bytes.
	Stat(ctx context.Context, key Key) (Object, error)

	// Delete removes the object. Removing one that is not there is no error,
	// so that a job may repeat it.
	Delete(ctx context.Context, key Key) error

	// List yields every object whose key starts with prefix (empty: all), in
	// byte order of the keys, with Key, Size and Modified only; Stat knows the
	// rest. It fetches page by page and ends after the first error. Names in
	// the store that are no key are passed over. Of a retained object that was
	// removed all the same the name stays, and Get finds nothing.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]

	// URL signs a link that gives the bytes to whoever holds it, for life: at
	// least a second, at most MaxURLLife, else a fault Invalid. It does not
	// ask whether the object is there; the link to a missing one answers 404.
	URL(ctx context.Context, key Key, life time.Duration) (string, error)

	// Ping answers nil when the store can be reached. It moves no bytes, so
	// that a readiness check can call it often.
	Ping(ctx context.Context) error
}

// Object describes what is kept under a key.
type Object struct {
	Key         Key
	Size        int64     // bytes
	ContentType string    // as given to Put
	SHA256      string    // of the bytes, 64 lower-case hexadecimal digits
	Modified    time.Time // UTC, whole seconds
	Retained    bool      // the store itself refuses to let the bytes go; see PutOptions
}

// PutOptions describe the body of a Put.
type PutOptions struct {
	ContentType string // media type; empty means application/octet-stream
	Size        int64  // bytes that body must have; 0 means unknown
	Limit       int64  // most bytes accepted; 0 means MaxSize
	// Retain asks the store to refuse everybody, its owner included, to replace
	// or remove the bytes for so long. Only an S3 bucket with object lock can;
	// others keep the object like any other.
	Retain time.Duration
}

// check returns o with its defaults filled in.
func (o PutOptions) check() (PutOptions, error) {
	if o.ContentType == "" {
		o.ContentType = "application/octet-stream"
	}
	if _, _, err := mime.ParseMediaType(o.ContentType); err != nil || len(o.ContentType) > maxContentType {
		return o, fault.New(fault.Invalid, "The content type is malformed. Give a media type such as image/png.")
	}
	if o.Limit < 0 || o.Limit > MaxSize || o.Size < 0 {
		return o, fmt.Errorf("storage: size %d or limit %d is out of range", o.Size, o.Limit)
	}
	if o.Limit == 0 {
		o.Limit = MaxSize
	}
	if o.Size > o.Limit {
		return o, tooLarge(o.Limit)
	}
	return o, nil
}

// Range is a run of bytes; the zero Range is the whole object.
type Range struct {
	Offset int64 // of the first byte, from 0
	Length int64 // in bytes; 0 means to the end
}

func (r Range) check() error {
	if r.Offset < 0 || r.Length < 0 {
		return badRange()
	}
	return nil
}

func checkLife(life time.Duration) error {
	if life < time.Second || life > MaxURLLife {
		return fault.New(fault.Invalid, "A link lives for between 1 second and %d minutes.", int(MaxURLLife.Minutes()))
	}
	return nil
}

func notFound() error {
	return fault.New(fault.NotFound, "This file does not exist or has been removed.")
}

func badRange() error {
	return fault.New(fault.Invalid, "The range lies outside the file.")
}

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "The file is larger than %d bytes. Send a smaller one.", limit)
}

// unavailable keeps the cause for the log: it may name folders and hosts.
func unavailable(doing string, err error) error {
	f := fault.New(fault.Unavailable, "File storage is away. Try again shortly.")
	f.Err = fmt.Errorf("%s: %w", doing, err)
	return f
}
