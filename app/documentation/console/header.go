package console

import (
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// blocked lists the headers, in lower case, of the transport or of a browser. A name
// that ends in "-" is a prefix.
var blocked = []string{
	"connection", "content-length", "expect", "forwarded", "host", "http2-settings", "keep-alive", "proxy-", "sec-", "te",
	"trailer", "transfer-encoding", "upgrade", "cf-connecting-ip", "true-client-ip", "via", "x-client-ip", "x-cluster-client-ip", "x-forwarded-", "x-http-method", "x-http-method-override", "x-method-override", "x-original-url", "x-real-ip", "x-rewrite-url",
}

// IsBlocked reports whether a header is controlled by the transport, so that calls
// must not set it.
func IsBlocked(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(blocked, func(entry string) bool {
		return name == entry || strings.HasSuffix(entry, "-") && strings.HasPrefix(name, entry)
	})
}

// headerProblem returns what keeps a header from being sent, or an empty text.
func headerProblem(name, value string) string {
	switch {
	case !httpguts.ValidHeaderFieldName(name):
		return "The contract names a header that HTTP does not have. It cannot be sent."
	case IsBlocked(name) || strings.EqualFold(name, "Cookie"):
		return "The header " + name + " is controlled by the connection. It cannot be set here."
	case !httpguts.ValidHeaderFieldValue(value):
		return "Remove line breaks and other control characters."
	}
	return ""
}
