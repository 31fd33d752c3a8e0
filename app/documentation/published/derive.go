package published

import (
	"context"

	"heliograph/app/documentation/openapi"
)

// derivedKey identifies what was derived from a version.
type derivedKey struct {
	version *Version
	name    string
}

// Derive returns what build makes of the document of a version. The first caller
// makes it, and concurrent callers wait. It is kept within the memory for
// compiled documentation; build returns its size in bytes, as estimated, given
// the bytes of the document. [IsBroken] holds of the error when the document
// cannot be put together.
func Derive[T any](ctx context.Context, v *Version, name string, build func(a *openapi.Assembly, size int) (T, int)) (T, error) {
	return compiled(ctx, v, derivedKey{v, name}, name, func(ctx context.Context) (value T, size int, err error) {
		p, err := v.parts(ctx)
		if err != nil {
			return value, 0, err
		}
		a, err := openapi.Assemble(p)
		if err != nil {
			return value, 0, err
		}
		value, size = build(a, sizeOf(p))
		return value, size, nil
	})
}

// sizeOf returns the bytes of the parts of a document.
func sizeOf(p openapi.Parts) int {
	size := len(p.Frame)
	for _, list := range [][]openapi.Operation{p.Operations, p.Callbacks} {
		for _, op := range list {
			size += len(op.Raw)
		}
	}
	for _, s := range p.Schemas {
		size += len(s.Raw)
	}
	return size
}
