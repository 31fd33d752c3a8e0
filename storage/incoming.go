package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

	"heliograph/app/fault"
)

// incoming is the body of a Put. It counts and hashes what is read, up to one byte
// past the limit, to detect a body that is too large. It fails at the first read
// after its context has ended.
type incoming struct {
	ctx     context.Context
	body    io.Reader
	options PutOptions // that check has filled in
	hash    hash.Hash
	size    int64
	err     error // of the body, which io.Copy does not tell from an error of writing
}

func newIncoming(ctx context.Context, body io.Reader, o PutOptions) *incoming {
	return &incoming{ctx: ctx, body: body, options: o, hash: sha256.New()}
}

// Read reads the next bytes.
func (i *incoming) Read(p []byte) (int, error) {
	if i.err = i.ctx.Err(); i.err != nil {
		return 0, i.err
	}
	rest := i.options.Limit + 1 - i.size
	if rest == 0 {
		return 0, io.EOF
	}
	n, err := i.body.Read(p[:min(int64(len(p)), rest)])
	i.size += int64(n)
	i.hash.Write(p[:n])
	if err != nil && err != io.EOF {
		i.err = err
	}
	return n, err
}

// check returns the fault of a body that was read to its end.
func (i *incoming) check() error {
	o := i.options
	switch {
	case i.err != nil:
		return fmt.Errorf("reading the body: %w", i.err)
	case i.size > o.Limit:
		return tooLarge(o.Limit)
	case o.Size > 0 && i.size != o.Size:
		return fault.New(fault.Invalid, "The file has %d bytes, but %d were announced.", i.size, o.Size)
	}
	return nil
}

// object describes what was read, stored under a key.
func (i *incoming) object(key Key) Object {
	return Object{Key: key, Size: i.size, ContentType: i.options.ContentType, SHA256: hex.EncodeToString(i.hash.Sum(nil))}
}
