package outbound

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"syscall"

	"heliograph/db/models"
)

var errSwitched = errors.New("server switched protocols unasked")

// explain turns a failed exchange into a fault whose message a partner may read.
// A refused address and an unknown name share one message: see CheckURL. Its code
// is the class of the failure, as models names them for administrators. ctx is
// the caller's own: its cancellation can reach err as any cause.
func explain(ctx context.Context, host string, err error) error {
	var (
		dns    *net.DNSError
		slow   net.Error
		cert   *tls.CertificateVerificationError
		record tls.RecordHeaderError
		alert  tls.AlertError
	)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return unavailable(models.FaultBroken, errors.Join(ctx.Err(), err), "The request to %s was cancelled before it was answered.", host)
	case denied(err), errors.As(err, &dns) && dns.IsNotFound:
		return unavailable(models.FaultAddress, err, "%s does not lead to a public internet address.", host)
	case errors.As(err, &slow) && slow.Timeout():
		return unavailable(models.FaultTimeout, err, "%s did not answer in time.", host)
	case errors.As(err, &cert):
		return unavailable(models.FaultCertificate, err, "The TLS certificate of %s was not accepted. Check its name, dates and chain.", host)
	case errors.As(err, &record), errors.As(err, &alert):
		return unavailable(models.FaultTLS, err, "The TLS handshake with %s failed. Check that it speaks TLS 1.2 or newer.", host)
	case errors.Is(err, syscall.ECONNREFUSED):
		return unavailable(models.FaultRefused, err, "%s refused the connection.", host)
	}
	return unavailable(models.FaultBroken, err, "%s closed the connection or answered in another protocol.", host)
}
