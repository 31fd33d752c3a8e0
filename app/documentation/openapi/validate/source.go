package validate

import (
	"net/http"
	"net/url"
	"strings"
)

// pair is a name and a value of a query, a form or a cookie, percent-encoded.
// Delimiters of a style are only those that are not encoded.
type pair struct{ name, value string }

// source holds the parameters of a request as they were received.
type source struct {
	path           map[string]string
	query, cookies []pair
	header         http.Header
	limits         limitSet
}

func newSource(r Request, found *report) *source {
	s := &source{path: r.Path, header: r.Header, limits: found.limits}
	var f *flaw
	if s.query, f = splitQuery(r.Query, found.limits); f != nil {
		found.add(Problem{Location: Query, Code: f.code, Message: f.message})
	}
	for _, line := range r.Header.Values("Cookie") {
		for text := range strings.SplitSeq(line, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(text), "=")
			if name != "" && len(s.cookies) < found.limits.Values {
				s.cookies = append(s.cookies, pair{name, strings.Trim(value, `"`)})
			}
		}
	}
	return s
}

// splitQuery splits a query or a URL-encoded form. Names are decoded.
func splitQuery(query string, limits limitSet) (list []pair, f *flaw) {
	for text := range strings.SplitSeq(query, "&") {
		if text == "" {
			continue
		}
		if len(list) >= limits.Values {
			return nil, tooMany(limits)
		}
		raw, value, _ := strings.Cut(text, "=")
		name, err := url.QueryUnescape(raw)
		if err != nil {
			return nil, &flaw{"encoding", "Percent-encode the names correctly."}
		}
		list = append(list, pair{name, value})
	}
	return list, nil
}

// values lists the values of a name.
func values(list []pair, name string) (found []string) {
	for _, p := range list {
		if p.name == name {
			found = append(found, p.value)
		}
	}
	return found
}

// texts returns the values of a parameter in its place, none where it is
// missing.
func (s *source) texts(in Location, name string) []string {
	switch in {
	case Path:
		if value, ok := s.path[name]; ok {
			return []string{value}
		}
		return nil
	case Query, Body:
		return values(s.query, name)
	case Cookie:
		return values(s.cookies, name)
	}
	lines := s.header.Values(name)
	if len(lines) > 1 && !strings.EqualFold(name, "Set-Cookie") {
		return []string{strings.Join(lines, ",")} // RFC 9110, section 5.3
	}
	return lines
}

// unescape returns the decoder of a location.
func unescape(in Location) func(string) (string, error) {
	switch in {
	case Query, Body:
		return url.QueryUnescape
	case Path, Cookie:
		return url.PathUnescape
	}
	return func(s string) (string, error) { return strings.TrimSpace(s), nil }
}
