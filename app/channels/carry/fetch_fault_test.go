package carry

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// A server that is away may have the file later. An address or a certificate that is
// refused stays so.
func TestUnreachableServersAreTriedAgain(t *testing.T) {
	t.Parallel()
	coded := func(code string) error {
		f := fault.New(fault.Unavailable, "The server is away.")
		f.Code = code
		return fmt.Errorf("fetching: %w", f)
	}
	for name, tt := range map[string]struct {
		err   error
		final bool
	}{
		"broken off":  {io.ErrUnexpectedEOF, false},
		"refused":     {coded(models.FaultRefused), false},
		"no name":     {coded(""), false},
		"address":     {coded(models.FaultAddress), true},
		"certificate": {coded(models.FaultCertificate), true},
		"TLS":         {coded(models.FaultTLS), true},
		"malformed":   {fault.New(fault.Invalid, "It is no address."), true},
	} {
		problem, err := unreachable(tt.err)
		var away awayError
		if (problem != "") != tt.final || errors.As(err, &away) == tt.final {
			t.Errorf("%s: problem %q, %v; want final %t", name, problem, err, tt.final)
		}
	}
}
