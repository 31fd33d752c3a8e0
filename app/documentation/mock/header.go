package mock

import (
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// withheld are documented headers that are not sent: those that would act on the
// origin of the portal, and those that belong to the connection or to the mock.
var withheld = map[string]bool{
	"Set-Cookie": true, "Set-Cookie2": true, "Clear-Site-Data": true, "Strict-Transport-Security": true, "Service-Worker-Allowed": true,
	"Content-Security-Policy": true, "Content-Security-Policy-Report-Only": true, "Public-Key-Pins": true, "Expect-Ct": true, "Alt-Svc": true,
	"Refresh": true, "Nel": true, "Report-To": true, "Reporting-Endpoints": true, "Origin-Agent-Cluster": true, "Origin-Trial": true,
	"Permissions-Policy": true, "Feature-Policy": true, "Referrer-Policy": true, "Speculation-Rules": true, "No-Vary-Search": true, "Sourcemap": true, "X-Sourcemap": true,
	"X-Frame-Options": true, "X-Content-Type-Options": true, "X-Xss-Protection": true, "X-Dns-Prefetch-Control": true, "Accept-Ch": true, "Critical-Ch": true,
	"Connection": true, "Content-Length": true, "Content-Encoding": true, "Content-Type": true, "Date": true, "Keep-Alive": true, "Proxy-Authenticate": true,
	"Te": true, "Trailer": true, "Transfer-Encoding": true, "Upgrade": true, "Server-Timing": true, "Preference-Applied": true, "X-Request-Id": true,
	"Use-As-Dictionary": true, "Supports-Loading-Mode": true, "Timing-Allow-Origin": true, "Www-Authenticate": true, "Age": true, "Via": true, "Server": true, "Status": true,
	// What browsers keep for an origin, and what caches and proxies obey.
	"Set-Login": true, "Activate-Storage-Access": true, "Document-Policy": true, "Document-Policy-Report-Only": true, "Require-Document-Policy": true,
	"Integrity-Policy": true, "Integrity-Policy-Report-Only": true, "Content-Range": true,
	"Cache-Control": true, "Expires": true, "Pragma": true, "Surrogate-Control": true,
}

// withheldPrefixes begin the names of withheld headers. A proxy such as nginx answers
// X-Accel-Redirect with a page or file of its own.
var withheldPrefixes = []string{
	"Access-Control-", "Attribution-Reporting-", "Cdn-", "Cross-Origin-", "Hx-", "Proxy-", "Ratelimit", "Sec-", "Secure-Session-", "X-Accel-", "X-Lighttpd-", "X-Litespeed-",
	"X-Mock-", "X-Reproxy-", "X-Sendfile",
}

// isWithheld reports whether a documented header is not sent.
func isWithheld(name string) bool {
	for _, prefix := range withheldPrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return withheld[name]
}

// documentedHeader returns the headers of a response with their examples, or with
// values of their schemas.
func documentedHeader(r graph.Response) http.Header {
	header := http.Header{}
	for _, h := range r.Headers() {
		name := http.CanonicalHeaderKey(h.Name)
		if !httpguts.ValidHeaderFieldName(name) || isWithheld(name) {
			continue
		}
		value, ok := headerValue(h.Value)
		if ok && httpguts.ValidHeaderFieldValue(value) {
			header[name] = []string{value}
		}
	}
	return header
}

// headerValue returns the value of a header in the style simple, which is the
// only one that headers have.
func headerValue(h graph.Header) (string, bool) {
	var v *tree.Node
	for _, e := range h.Examples() {
		if v = e.Value.Value(); v != nil {
			break
		}
	}
	if v == nil {
		v = sampled(h.Schema(), "")
	}
	for _, m := range h.Content() {
		for _, e := range m.Value.Examples() {
			if v == nil {
				v = e.Value.Value()
			}
		}
	}
	switch {
	case v == nil:
		return "", false
	case v.Is(tree.KindArray):
		return strings.Join(tree.Texts(v.Items), ","), true
	case v.Is(tree.KindObject):
		var list []string
		for _, m := range v.Members {
			if h.Explode() {
				list = append(list, m.Key+"="+m.Value.Display())
			} else {
				list = append(list, m.Key, m.Value.Display())
			}
		}
		return strings.Join(list, ","), true
	}
	return v.Display(), true
}
