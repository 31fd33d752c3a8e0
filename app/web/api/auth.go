package api

import (
	"net/http"
	"strings"

	"heliograph/app/fault"
)

// headerCredential finds the API key in the apikey header, else in a bearer
// token (RFC 6750). Both may be given when they are the same. A key in the query is never
// read, because queries end up in logs.
func headerCredential(r *http.Request) (string, error) {
	h := r.Header
	key := h.Get("apikey")
	scheme, token, _ := strings.Cut(h.Get("Authorization"), " ")
	bearer := ""
	if strings.EqualFold(scheme, "bearer") {
		bearer = strings.TrimSpace(token)
	}
	switch {
	case key == "" && bearer == "":
		return "", fault.New(fault.Unauthenticated, "API key is missing: send it in the apikey header")
	case key != "" && bearer != "" && key != bearer:
		return "", fault.New(fault.Unauthenticated, "The apikey header and the bearer token differ: send one of them")
	case key == "":
		return bearer, nil
	}
	return key, nil
}
