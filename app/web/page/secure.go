package page

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
)

const headerPolicy = "Content-Security-Policy"

// policy is the Content Security Policy Level 3 with the given sources of
// scripts and styles. Nothing comes from another host and no page can be
// framed.
func policy(code string) string {
	return "default-src 'none'; script-src " + code + "; style-src " + code +
		"; img-src 'self' data:; media-src 'self'; connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'" +
		"; base-uri 'none'; frame-ancestors 'none'; object-src 'none'"
}

// All responses share these values. Do not change them in place.
var (
	defaultPolicy   = []string{policy("'self'")}
	noSniff         = []string{"nosniff"}
	sameOrigin      = []string{"same-origin"}
	permissions     = []string{"camera=(), geolocation=(), microphone=(), payment=(), usb=()"}
	strictTransport = []string{"max-age=31536000"}
	noStore         = []string{"no-store"}
)

// SecureHeaders sets the security headers of every response, without inline script
// or style. Over https, browsers use https for a year (RFC 6797).
func SecureHeaders(header http.Header, https bool) {
	header[headerPolicy] = defaultPolicy
	header["X-Content-Type-Options"] = noSniff
	header["Referrer-Policy"] = sameOrigin
	header["Cross-Origin-Opener-Policy"] = sameOrigin
	header["Cross-Origin-Resource-Policy"] = sameOrigin
	header["Permissions-Policy"] = permissions
	if https {
		header["Strict-Transport-Security"] = strictTransport
	}
}

// DropDocumentHeaders removes the headers that browsers read of documents alone, some
// 500 bytes of every style, script and picture that a page loads. An SVG can be opened
// as a document and needs them.
func DropDocumentHeaders(header http.Header) {
	for _, name := range []string{headerPolicy, "Referrer-Policy", "Cross-Origin-Opener-Policy", "Permissions-Policy"} {
		delete(header, name)
	}
}

// NoStore keeps a response out of every cache.
func NoStore(header http.Header) { header["Cache-Control"] = noStore }

// randomText returns n random bytes as URL-safe base64.
func randomText(n int) string {
	raw := make([]byte, n)
	rand.Read(raw) //nolint:errcheck // never fails: crypto/rand ends the process instead
	return base64.RawURLEncoding.EncodeToString(raw)
}
