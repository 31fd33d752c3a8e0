package sample

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/tree"
)

// isCredential reports whether a value is the placeholder of a key or a token, or
// the wrong key in its place.
func (r *request) isCredential(value string) bool {
	value = strings.TrimPrefix(value, "Bearer ")
	return value == "<API_KEY>" || value == "<ACCESS_TOKEN>" || r.wrongKey != "" && value == r.wrongKey
}

// credentialHeader reports whether a header carries a key or a token.
func (r *request) credentialHeader(h pair) bool { return r.isCredential(h.value) }

// credentialParameter reports whether a parameter of a query carries a key.
func (r *request) credentialParameter(text string) bool {
	_, value, _ := strings.Cut(text, "=")
	return r.isCredential(value)
}

// credentialMember reports whether a member of a body carries a key.
func (r *request) credentialMember(m tree.Member) bool {
	return m.Value.Is(tree.KindString) && r.isCredential(m.Value.Text)
}

// needsKey reports whether the request carries a key or a token.
func (r *request) needsKey() bool {
	_, query, _ := strings.Cut(r.url, "?")
	return slices.ContainsFunc(strings.Split(query, "&"), r.credentialParameter) || slices.ContainsFunc(r.headers, r.credentialHeader) ||
		r.hasMembers() && slices.ContainsFunc(r.body.value.Members, r.credentialMember)
}

// hasMembers reports whether the body is a JSON object.
func (r *request) hasMembers() bool {
	return r.body.is(media.JSON) && r.body.value.Is(tree.KindObject)
}
