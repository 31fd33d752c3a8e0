package relay

import (
	"net/http"
	"strings"
)

// advice says what to do about an exchange that failed without an answer, by the
// end of what is said about it after the name of the host.
var advice = map[string]string{
	" does not lead to a public internet address.":            "Correct the host in the URL, or its name in DNS: private, local and reserved addresses are never called.",
	" did not answer in time.":                                "Answer within 10 seconds: store the callback, answer 200, and do the work afterwards. If your server saw no request, a firewall drops it.",
	" was not accepted. Check its name, dates and chain.":     "Renew the certificate for this very name, and serve it with its whole chain.",
	" failed. Check that it speaks TLS 1.2 or newer.":         "Serve TLS 1.2 or newer on this port, or correct the scheme and the port of the URL.",
	" refused the connection.":                                "Start your server, or correct the port of the URL: nothing listens there.",
	" closed the connection or answered in another protocol.": "Look at what stands before your server, such as a proxy or a firewall: the connection ended before an HTTP answer came.",
}

// Advice says in words what the owner of a webhook can do about an attempt that
// failed, by the status of the answer, 0 for none, and the problem that it keeps. It
// is empty for an attempt that succeeded and where there is nothing to say.
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
		return "Your endpoint read the callback and refused it. Its answer below may say why; accept fields that you do not know."
	case http.StatusUnauthorized, http.StatusForbidden:
		return "Your endpoint did not accept the sender. Compute the signature over the body as it arrived, with the signing secret of this number; then look at headers of your own, a login or a firewall before the endpoint."
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "Nothing takes a POST at this path. Correct the URL of the webhook, or add the route."
	case http.StatusGone:
		return "410 asks for no more callbacks, so the webhook is disabled. Enable it if that was not meant."
	case http.StatusRequestEntityTooLarge:
		return "Let your server take larger bodies."
	case http.StatusTooManyRequests:
		return "Your endpoint asked for fewer. Callbacks wait for as long as its Retry-After says; raise its limit if they come too late."
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return "What stands before your endpoint did not reach it. Check that your server runs, then replay what failed."
	}
	switch {
	case status >= 500:
		return "Your endpoint broke while it handled the callback. Look in its log at this time, mend it, then replay what failed."
	case status >= 300 && status < 400:
		return "Set the address that it leads to as the URL of the webhook."
	case status >= 400:
		return "Your endpoint refused the callback. Its answer below may say why."
	}
	return ""
}
