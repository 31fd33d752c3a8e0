package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	webpage "heliograph/app/web/page"
)

// callKey is the context key of a call that failed, for the log of refused calls.
const callKey = "api.call"

// keySearch is how much of a body is searched for the key of a refused call, in bytes.
const keySearch = 8 << 10

// noteRefused notes for the log of refused calls that a request is answered with an
// error, be it the caller's or the server's.
func (s *surface) noteRefused(c echo.Context, status, code int) {
	made, _ := c.Get(callKey).(*call)
	s.noteRefusal(c, made, status, code)
}

// noteRefusal is noteRefused for a call, which is nil if the request never became one.
func (s *surface) noteRefusal(c echo.Context, made *call, status, code int) {
	refused := webpage.Refused{Channel: s.channel, Status: status, Code: code}
	if made != nil {
		refused.KeyID = made.caller.KeyID
	}
	if refused.KeyID == 0 {
		refused.KeyPrefix, refused.KeyHash = identity.Fingerprint(usedKey(c.Request(), made))
	}
	webpage.Refuse(c, refused)
}

// usedKey returns the API key that a request holds somewhere, or "".
func usedKey(r *http.Request, made *call) string {
	places := []string{r.Header.Get("apikey"), r.Header.Get("Authorization"), r.URL.RawQuery}
	if made != nil {
		places = append(places, string(made.body[:min(len(made.body), keySearch)]))
	}
	for _, text := range places {
		if key := identity.FindKey(text); key != "" {
			return key
		}
	}
	return ""
}
