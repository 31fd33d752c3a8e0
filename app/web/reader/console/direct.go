package console

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"heliograph/app/documentation/console"
	"heliograph/app/documentation/openapi/model"
	"heliograph/db/models"
	views "heliograph/views/reader/console"
)

// The fields by which a browser says that it sends calls of the mock server itself, and
// with which it comes back with the answer.
const (
	directField = "direct"

	statusField  = "answer.status"
	headersField = "answer.headers"
	bodyField    = "answer.body"
	tookField    = "answer.took"
	failureField = "answer.failure"
)

// fieldsOf returns the names of the fields of credentials by their placeholders.
func fieldsOf(e *model.Endpoint, way int) map[string]string {
	fields := map[string]string{}
	for _, s := range console.Schemes(e, way) {
		secret, user := s.Placeholders()
		fields[secret] = secretPrefix + s.Name
		if user != "" {
			fields[user] = userPrefix + s.Name
		}
	}
	return fields
}

// readArrived reads the answer of the mock server that a browser brings, nil for none.
func readArrived(form url.Values) *console.Arrived {
	if !form.Has(statusField) {
		return nil
	}
	a := &console.Arrived{Header: http.Header{}, Failure: form.Get(failureField)}
	known := []string{"", models.FaultTimeout, models.FaultCancelled, models.FaultBroken}
	if !slices.Contains(known, a.Failure) {
		a.Failure = models.FaultBroken
	}
	took, err := strconv.ParseFloat(form.Get(tookField), 64)
	if err == nil && took >= 0 && took < 1e6 {
		a.Took = time.Duration(took * float64(time.Millisecond))
	}
	a.Status, err = strconv.Atoi(form.Get(statusField))
	if a.Failure == "" && (err != nil || a.Status < 100 || a.Status > 599) {
		a.Failure = models.FaultBroken
	}
	var headers [][2]string
	if json.Unmarshal([]byte(form.Get(headersField)), &headers) == nil {
		for _, h := range headers {
			a.Header.Add(h[0], h[1])
		}
	}
	if a.Body, err = base64.StdEncoding.DecodeString(form.Get(bodyField)); err != nil {
		a.Failure = models.FaultBroken
	}
	return a
}

// newDirect hands a call to the browser.
func newDirect(d *console.Direct, action, secrets string) views.Direct {
	text, err := json.Marshal(d)
	if d == nil || err != nil {
		return views.Direct{}
	}
	return views.Direct{
		Call: string(text), Action: action, Secrets: secrets,
		Fields: []string{statusField, headersField, bodyField, tookField, failureField},
	}
}
