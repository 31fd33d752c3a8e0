package api

import (
	"strings"

	"heliograph/app/fault"
)

// headerCredential returns the API key from the apikey header, or else from a bearer
// token (RFC 6750). If both are present, they must be equal. A key in the query is
// never read, because logs contain queries.
func headerCredential(c *call) (string, error) {
	h := c.request.Header
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
