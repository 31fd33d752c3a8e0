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

// explainFailure converts the error of an exchange to a fault with a message for
// partners. A refused address and an unknown name have the same message, see
// CheckURL. Its code is the class of the failure in models. ctx is the caller's
// context, because its cancellation can appear in err as any cause.
func explainFailure(ctx context.Context, host string, err error) error {
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
	case isDenied(err), errors.As(err, &dns) && dns.IsNotFound:
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
