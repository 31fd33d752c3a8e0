package outbound

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"heliograph/app/channels/relay"
	"heliograph/app/fault"
)

// Every way in which an attempt fails comes with something to do, and no two
// causes with the same.
func TestEveryFailureHasAdvice(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	expect := func(what, text string) {
		t.Helper()
		if !strings.HasSuffix(text, ".") {
			t.Errorf("%s: the advice is %q", what, text)
		}
		if before, ok := seen[text]; ok {
			t.Errorf("%s and %s have the same advice", what, before)
		}
		seen[text] = what
	}
	for what, err := range map[string]error{
		"unknown name": &net.DNSError{IsNotFound: true}, "slow": os.ErrDeadlineExceeded, "certificate": &tls.CertificateVerificationError{},
		"handshake": tls.AlertError(40), "refused": syscall.ECONNREFUSED, "another protocol": errors.New("malformed HTTP response"),
	} {
		expect(what, relay.Advice(0, unavailableText(t, err)))
	}
	for what, status := range map[string]int{"400": 400, "401": 401, "404": 404, "409": 409, "410": 410, "413": 413, "429": 429, "301": 301, "500": 500, "503": 503} {
		expect(what, relay.Advice(status, "The webhook answered."))
	}
	for _, status := range []int{200, 204, 299} {
		if text := relay.Advice(status, ""); text != "" {
			t.Errorf("%d: %s", status, text)
		}
	}
}

func unavailableText(t *testing.T, err error) string {
	t.Helper()
	f := fault.As(explainFailure(context.Background(), "hooks.example.com", err))
	if f == nil {
		t.Fatalf("%v is explained by no fault", err)
	}
	return f.Message
}
