// Package storage stores the files of Heliograph: media, uploads and SDK builds.
// There are two implementations: an S3 server for production, and a folder as
// the embedded default. Both pass the contract tests of storage/storagetest.
//
// A missing object is NotFound. Storage that cannot be reached or written is
// Unavailable. A cancelled context is returned as its own error. Each method
// documents the errors for invalid input.
package storage

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"mime"
	"time"

	"heliograph/app/fault"
)

const (
	// maxSize is the maximum size of an object in bytes: 1 GiB.
	maxSize = 1 << 30

	// MaxURLLife is the longest validity of a URL. It is short, because links
	// can leak.
	MaxURLLife = 5 * time.Minute

	// PutLife is longer than any Put takes.
	PutLife = 24 * time.Hour

	maxContentType = 255 // bytes
)

// Store stores objects under typed keys. Its methods are safe for concurrent use.
// An invalid key is Invalid in every method.
type Store interface {
	// Put reads body to its end and stores it under the key, replacing any
	// earlier object. Readers see the old object or the new one, never a part.
	// If Put fails, nothing has changed. Memory use does not depend on the size.
	// A body over the limit is TooLarge. A body that does not have the announced
	// size and a malformed content type are Invalid. An error of body itself is
	// wrapped. The result has no Modified. Only this result tells whether the
	// object is retained.
	Put(ctx context.Context, key Key, body io.Reader, o PutOptions) (Object, error)

	// Get opens the bytes of the range. The returned object has the full size.
	// The caller closes the reader. A range that starts at or past the end is
	// Invalid, except the start of an empty object. A range that ends past the
	// end is shortened.
	Get(ctx context.Context, key Key, r Range) (io.ReadCloser, Object, error)

	// Stat describes the object without its bytes.
	Stat(ctx context.Context, key Key) (Object, error)

	// Delete removes the object. Removing a missing one is no error, so that a
	// job can retry it.
	Delete(ctx context.Context, key Key) error

	// List yields every object with a key that starts with prefix (empty: all), in
	// byte order of the keys, with Key, Size and Modified only; Stat returns the
	// rest. It fetches page by page and ends after the first error. Names in the
	// store that are not keys are skipped. A retained object that was removed is
	// still listed, but Get does not find it.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]

	// URL signs a link with which anyone can download the object for life: at
	// least a second and at most MaxURLLife, otherwise Invalid. It does not check
	// that the object exists. The link to a missing object answers 404.
	URL(ctx context.Context, key Key, life time.Duration) (string, error)

	// Sweep removes what Puts that began longer than age ago have left behind
	// because their process died. Objects are not affected.
	Sweep(ctx context.Context, age time.Duration) error

	// Ping returns nil if the store can be reached. It transfers no objects, so
	// that a readiness check can call it often.
	Ping(ctx context.Context) error
}

// Object describes a stored object.
type Object struct {
	Key         Key
	Size        int64     // bytes
	ContentType string    // as given to Put
	SHA256      string    // of the bytes, 64 lower-case hexadecimal digits
	Modified    time.Time // UTC, whole seconds
	Retained    bool      // the store refuses to replace or remove the object; see PutOptions
}

// PutOptions describes the body of a Put.
type PutOptions struct {
	ContentType string // media type; empty means application/octet-stream
	Size        int64  // required size of body in bytes; 0 means unknown
	Limit       int64  // maximum size in bytes; 0 means MaxSize
	// Retain is how long the store refuses to replace or remove the object, even
	// for its owner. Only an S3 bucket with object lock supports it. Other stores
	// ignore it.
	Retain time.Duration
}

// check returns o with its defaults filled in.
func (o PutOptions) check() (PutOptions, error) {
	o.ContentType = cmp.Or(o.ContentType, "application/octet-stream")
	if _, _, err := mime.ParseMediaType(o.ContentType); err != nil || len(o.ContentType) > maxContentType {
		return o, fault.New(fault.Invalid, "The content type is malformed. Use a media type such as image/png.")
	}
	if o.Limit < 0 || o.Limit > maxSize || o.Size < 0 {
		return o, fmt.Errorf("storage: size %d or limit %d is out of range", o.Size, o.Limit)
	}
	o.Limit = cmp.Or(o.Limit, maxSize)
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
		return fault.New(fault.Invalid, "A link can be valid for 1 second to %d minutes.", int(MaxURLLife.Minutes()))
	}
	return nil
}

func notFound() error {
	return fault.New(fault.NotFound, "This file does not exist or has been removed.")
}

func badRange() error {
	return fault.New(fault.Invalid, "The range is outside of the file.")
}

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "The file is larger than %d bytes. Send a smaller one.", limit)
}

// unavailable keeps the cause for the log: it may name folders and hosts.
func unavailable(doing string, err error) error {
	f := fault.New(fault.Unavailable, "File storage is unavailable. Try again shortly.")
	f.Err = fmt.Errorf("%s: %w", doing, err)
	return f
}
