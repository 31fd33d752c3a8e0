package relay

import (
	"net/http"
	"strings"
)

// advice maps the end of an error message, after the host name, to what to do
// about an attempt that got no response.
var advice = map[string]string{
	" does not lead to a public internet address.":            "Correct the host in the URL or its DNS record. Private, local and reserved addresses are never called.",
	" did not answer in time.":                                "Respond within 10 seconds: store the callback, respond with 200 and process it afterwards. If your server received no request, check your firewall.",
	" was not accepted. Check its name, dates and chain.":     "Renew the certificate for this host name and serve it with its full chain.",
	" failed. Check that it speaks TLS 1.2 or newer.":         "Serve TLS 1.2 or newer on this port, or correct the scheme and port of the URL.",
	" refused the connection.":                                "Nothing listens on this port. Start your server or correct the port of the URL.",
	" closed the connection or answered in another protocol.": "The connection ended before an HTTP response. Check proxies and firewalls in front of your server.",
}

// Advice returns what the owner of a webhook can do about a failed attempt.
// status is the status of the response, or 0 without one. problem is the stored
// error message. Advice returns an empty string if the attempt succeeded or there
// is no advice.
func Advice(status int, problem string) string {
	switch status {
	case 0:
		for end, text := range advice {
			if strings.HasSuffix(problem, end) {
				return text
			}
		}
		return ""
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return "Your endpoint rejected the callback. Its response below may say why. Ignore fields that you do not know."
	case http.StatusUnauthorized, http.StatusForbidden:
		return "Your endpoint did not accept the sender. Compute the signature over the raw body with the signing secret of this number. Then check your custom headers, and any login or firewall in front of the endpoint."
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "No endpoint accepts POST at this path. Correct the URL of the webhook or add the route."
	case http.StatusGone:
		return "Status 410 means that no more callbacks are wanted, so the webhook was disabled. Enable it again if this was a mistake."
	case http.StatusRequestEntityTooLarge:
		return "Increase the maximum body size of your server."
	case http.StatusTooManyRequests:
		return "Your endpoint limits the rate of requests. Callbacks are delayed as its Retry-After header says. Raise the limit if they arrive too late."
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return "A proxy or load balancer could not reach your endpoint. Check that your server is running, then replay the failed callbacks."
	}
	switch {
	case status >= 500:
		return "Your endpoint failed while it handled the callback. Check its log at this time, fix the error, then replay the failed callbacks."
	case status >= 300 && status < 400:
		return "Redirects are not followed. Set the redirect target as the URL of the webhook."
	case status >= 400:
		return "Your endpoint rejected the callback. Its response below may say why."
	}
	return ""
}
