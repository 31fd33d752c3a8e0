package web

import (
	"net"
	"net/netip"

	"github.com/labstack/echo/v4"
)

// clientAddress finds who is asking: the peer of the socket or, where that is
// one of the trusted proxies, the nearest address in X-Forwarded-For that is
// not.
func clientAddress(trusted []netip.Prefix) echo.IPExtractor {
	if len(trusted) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, prefix := range trusted {
		addr := prefix.Masked().Addr()
		options = append(options, echo.TrustIPRange(&net.IPNet{
			IP:   addr.AsSlice(),
			Mask: net.CIDRMask(prefix.Bits(), addr.BitLen()),
		}))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}
