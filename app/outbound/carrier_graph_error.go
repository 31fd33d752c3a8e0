package outbound

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// graphFault is the error of a response.
type graphFault struct {
	Message   string `json:"message"`
	Code      int    `json:"code"`
	UserTitle string `json:"error_user_title"`
	UserText  string `json:"error_user_msg"`
	Data      struct {
		Details string `json:"details"`
	} `json:"error_data"`
}

// unknownTries is how often a message is handed over that the upstream refuses for a
// reason that it does not know.
const unknownTries = 5

// pairPause is how long messages to one recipient wait after they came too fast.
const pairPause = 6 * time.Second

// graphError returns the error of a response. An error of the upstream with a code says
// that the message was not taken. A response of a server in between does not.
func graphError(carrier string, res *http.Response, body []byte, handOver int) error {
	var answer struct{ Error graphFault }
	if json.Unmarshal(body, &answer) != nil || answer.Error.Code == 0 && answer.Error.Message == "" {
		return bareError(carrier, res, body)
	}
	f := answer.Error
	title, code := graphTitle(f)
	e := &CarrierError{Code: f.Code, Title: title, Detail: printable(cmp.Or(f.Data.Details, f.UserText, code))}
	e.Wait = retryAfter(res.Header.Get("Retry-After"), time.Now())
	wait := func(least time.Duration) error {
		e.Temporary, e.Wait = true, max(e.Wait, least)
		return e
	}
	switch {
	case f.Code == graphPairFast:
		return wait(pairPause)
	case f.Code == graphNumberFast, f.Code == 80007, f.Code == 4, f.Code == 131048, f.Code == 133016:
		return wait(time.Second)
	case f.Code == graphBusy, f.Code == 131057, f.Code == 133004:
		return wait(0)
	case f.Code == graphUnknown, f.Code == 1, f.Code == 2:
		if handOver >= unknownTries {
			e.Code = graphUnknown
			return e
		}
		return wait(0)
	// The token, its rights, the account and the number are for the operator.
	case f.Code == 190, f.Code == 0, f.Code == 3, f.Code == 10, f.Code >= 200 && f.Code < 300, f.Code == graphDenied,
		f.Code == 131031, f.Code == 131042, f.Code == 131045, f.Code == 133010, f.Code == 368:
		return wait(time.Minute)
	case res.StatusCode == http.StatusUnauthorized:
		return wait(time.Minute)
	case res.StatusCode == http.StatusTooManyRequests:
		return wait(time.Second)
	}
	return e
}

// graphTitle returns the title of an error without its code, which the upstream writes
// at its beginning, and what else there is to say.
func graphTitle(f graphFault) (title, rest string) {
	title = strings.TrimPrefix(printable(f.Message), fmt.Sprintf("(#%d) ", f.Code))
	if len(title) > 200 {
		return "The carrier refused the message", title
	}
	return cmp.Or(title, "The carrier refused the message"), f.UserTitle
}

// bareError returns the error of a response that has no error of the Graph API.
func bareError(carrier string, res *http.Response, body []byte) error {
	answer := res.Status + " " + printable(strings.TrimSpace(string(body[:min(len(body), 300)])))
	switch status := res.StatusCode; {
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		return &CarrierError{Code: graphBusy, Title: "The carrier is busy", Detail: answer, Temporary: true, Wait: retryAfter(res.Header.Get("Retry-After"), time.Now())}
	case status >= 300 && status < 500:
		return waitForGraph("The carrier refused the settings", answer)
	}
	return fmt.Errorf("the carrier %s responds %s", carrier, answer)
}
