package outbound

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/http/httpguts"

	"heliograph/app/fault"
)

const (
	maxHeaders     = 20
	maxHeaderName  = 100  // characters
	maxHeaderValue = 2000 // bytes
)

// hopHeaders lists headers, in lower case, of the connection or of this client,
// which callers must not set. A name that ends in "-" is a prefix.
var hopHeaders = []string{
	"connection", "content-length", "cookie", "expect", "forwarded", "host", "keep-alive", "proxy-", "te",
	"trailer", "transfer-encoding", "upgrade", "via", "x-forwarded-", "x-real-ip",
}

// webhookHeaders lists the headers that describe the body of a webhook delivery, or that
// the delivery sets itself, in lower case. A name that ends in "-" is a prefix.
var webhookHeaders = []string{
	"content-encoding", "content-type", "user-agent", "webhook-id", "webhook-signature", "webhook-timestamp",
	"x-goog-signature", "x-heliograph-", "x-hub-", "x-signature-256",
}

// isHopHeader reports whether a header is one of hopHeaders.
func isHopHeader(name string) bool { return matchesName(hopHeaders, name) }

func matchesName(list []string, name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(list, func(entry string) bool {
		return name == entry || strings.HasSuffix(entry, "-") && strings.HasPrefix(name, entry)
	})
}

// CheckHeaders checks custom headers of webhook deliveries. There can be at most
// 20. Names must be RFC 7230 tokens of at most 100 characters and unique without
// regard to case. Values can have at most 2,000 bytes of UTF-8 without control
// characters except tab. Headers that the connection or the delivery sets are
// not allowed. The error names each header to change as the field
// "headers.<name>".
func CheckHeaders(headers map[string]string) error {
	if len(headers) > maxHeaders {
		return fault.InvalidFields(fault.Field{Name: "headers", Message: "Enter at most 20 headers."})
	}
	var fields fault.Fields
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		message := headerMessage(name, headers[name])
		if lower := strings.ToLower(name); message == "" && seen[lower] {
			message = "The header " + name + " is set twice. Remove one."
		} else {
			seen[lower] = true
		}
		fields.AddIf(message != "", "headers."+name, message)
	}
	return fields.Err()
}

// headerMessage returns what to change about a header, or an empty string.
func headerMessage(name, value string) string {
	switch {
	case len(name) > maxHeaderName:
		return "Shorten the header's name to at most 100 characters."
	case !httpguts.ValidHeaderFieldName(name):
		return "Use only letters, digits and !#$%&'*+-.^_`|~ in a header's name."
	case isHopHeader(name) || matchesName(webhookHeaders, name):
		return "The header " + name + " is set by the delivery itself. Remove it or choose another name."
	case len(value) > maxHeaderValue:
		return "Shorten the value of " + name + " to at most 2,000 bytes."
	case !utf8.ValidString(value) || strings.ContainsFunc(value, func(r rune) bool { return r != '\t' && unicode.IsControl(r) }):
		return "Remove line breaks and other control characters from the value of " + name + "."
	}
	return ""
}

// Guard lets rules check an address with the client that will dial it.
type Guard struct{ *Client }

// CheckWebhook refuses addresses and headers that the relay would refuse.
func (g Guard) CheckWebhook(ctx context.Context, url string, headers map[string]string) error {
	if err := CheckHeaders(headers); err != nil {
		return err
	}
	return g.CheckURL(ctx, url)
}

// CheckURL refuses addresses that the client would refuse.
func (g Guard) CheckURL(_ context.Context, url string) error {
	_, err := g.Client.CheckURL(url)
	return err
}
