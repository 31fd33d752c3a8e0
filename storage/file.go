package storage

import (
	"context"
	"errors"
	"io"

	"heliograph/app/fault"
)

// File reads one object at any offset, as http.ServeContent needs to serve
// ranges. It requests bytes from the store at the first Read after a Seek, one
// run at a time. It is not safe for concurrent use.
type File struct {
	Object

	ctx    context.Context
	store  Store
	offset int64
	body   io.ReadCloser // at offset; nil before the first Read and after a Seek
}

// Open returns a reader of the object, which the caller closes. ctx applies to
// every Read. Errors are the same as of Stat and Get. Reading an object that was
// replaced after Open is a Conflict.
func Open(ctx context.Context, s Store, key Key) (*File, error) {
	o, err := s.Stat(ctx, key)
	if err != nil {
		return nil, err
	}
	return &File{Object: o, ctx: ctx, store: s}, nil
}

// Read reads the next bytes.
func (f *File) Read(p []byte) (int, error) {
	if f.body == nil {
		if f.offset >= f.Size {
			return 0, io.EOF
		}
		body, o, err := f.store.Get(f.ctx, f.Key, Range{Offset: f.offset})
		if err != nil {
			return 0, err
		}
		f.body = body
		if o.SHA256 != f.SHA256 {
			return 0, errors.Join(fault.New(fault.Conflict, "The file was replaced while it was being read. Start again."), f.Close())
		}
	}
	n, err := f.body.Read(p)
	f.offset += int64(n)
	return n, err
}

// Seek implements io.Seeker.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.offset
	case io.SeekEnd:
		offset += f.Size
	}
	if offset < 0 {
		return 0, errors.New("storage: seek to before the start of a file")
	}
	if offset == f.offset {
		return offset, nil
	}
	f.offset = offset
	return offset, f.Close()
}

// Close closes the current run of bytes.
func (f *File) Close() error {
	if f.body == nil {
		return nil
	}
	err := f.body.Close()
	f.body = nil
	return err
}
