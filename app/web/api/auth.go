package api

import (
	"net/http"
	"slices"
	"strings"

	"heliograph/app/fault"
	"heliograph/app/identity"
)

// credential finds the API key: the apikey header, else a bearer token (RFC
// 6750). Both may be given when they are the same. A key in the query is never
// read, because queries end up in logs.
func credential(h http.Header) (string, error) {
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

// authenticate returns who calls, if the key may be used for the channel.
func authenticate(r *http.Request, keys *identity.Keys, channel string) (identity.Caller, error) {
	key, err := credential(r.Header)
	if err != nil {
		return identity.Caller{}, err
	}
	caller, err := keys.Authenticate(r.Context(), key)
	if err != nil {
		return identity.Caller{}, err
	}
	if !slices.Contains(caller.Channels, channel) {
		return identity.Caller{}, fault.New(fault.Forbidden, "This API key is not for the %s channel: create one that is", channel)
	}
	return caller, nil
}
