package main

import (
	"net/http"

	"heliograph/app/channels/simulate"
	"heliograph/app/outbound"
)

// callbackSigner makes the headers of callbacks that are shown, as the client that sends
// them does.
type callbackSigner struct{}

// Headers returns the headers of a callback.
func (callbackSigner) Headers(s simulate.Sending) (http.Header, error) {
	h := http.Header{}
	d := outbound.Delivery{
		ID:        s.ID,
		At:        s.At,
		Method:    s.Request.Method,
		URL:       s.Request.URL,
		Body:      s.Request.Body,
		Secret:    s.Secret,
		Previous:  s.Previous,
		Signature: s.Signature,
		Signed:    s.Signed,
	}
	return h, d.SetHeaders(h)
}
