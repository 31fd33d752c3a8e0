package sampling

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"heliograph/app/documentation/openapi/graph"
)

// mostText is the number of characters that a minimum can ask for.
const mostText = 2_000

func minLength(l graph.Limits) string { return l.MinLength }
func maxLength(l graph.Limits) string { return l.MaxLength }

// text makes a text of the format, the pattern and the length.
func (s *sampler) text(p *parts) string {
	least, most := p.count(minLength, maxLength, mostText)
	for _, schema := range p.list {
		if pattern := schema.Pattern(); pattern != "" {
			if text, ok := s.matching(pattern, least, most); ok {
				return text
			}
		}
	}
	format := cmp.Or(p.first(graph.Schema.Format), p.first(graph.Schema.ContentEncoding))
	text, isFixed := fixed[format]
	if s.isVaried() {
		text, isFixed = s.varied(format)
	}
	if !isFixed {
		text = s.words(least, most)
	}
	return fitted(text, least, most)
}

// fitted gives a text a length.
func fitted(text string, least, most int) string {
	runes := []rune(text)
	if len(runes) > most {
		return string(runes[:most])
	}
	if missing := least - len(runes); missing > 0 {
		return text + strings.Repeat("a", missing)
	}
	return text
}

// fixed are texts by format.
var fixed = map[string]string{
	"date-time": "2026-01-31T09:30:00Z", "date": "2026-01-31", "time": "09:30:00Z", "duration": "PT15M",
	"email": "asha@example.com", "idn-email": "asha@example.com", "hostname": "example.com", "idn-hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com", "url": "https://example.com", "iri": "https://example.com",
	"uri-reference": "/path", "iri-reference": "/path", "uri-template": "/path/{id}", "uuid": "3f2b7c1e-8d4a-4b6f-9c0d-5e1a2b3c4d5e",
	"json-pointer": "/path", "relative-json-pointer": "0/path", "regex": "^[a-z]+$", "byte": "SGVsaW8=", "base64": "SGVsaW8=",
	"base64url": "SGVsaW8", "password": "correct horse",
}

// varied makes a text of a format, and reports false for a format that is not
// known.
func (s *sampler) varied(format string) (string, bool) {
	// All moments are within 2026, so that a seed gives the same value for ever.
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s.random.IntN(365*24*3600)) * time.Second)
	word := s.word()
	switch format {
	case "date-time":
		return at.Format(time.RFC3339), true
	case "date":
		return at.Format(time.DateOnly), true
	case "time":
		return at.Format("15:04:05Z"), true
	case "duration":
		return fmt.Sprintf("PT%dM", 1+s.random.IntN(59)), true
	case "email", "idn-email":
		return word + "@example.com", true
	case "hostname", "idn-hostname":
		return word + ".example.com", true
	case "ipv4":
		return fmt.Sprintf("192.0.2.%d", 1+s.random.IntN(254)), true
	case "ipv6":
		return fmt.Sprintf("2001:db8::%x", 1+s.random.IntN(0xfffe)), true
	case "uri", "url", "iri":
		return "https://example.com/" + word, true
	case "uri-reference", "iri-reference", "json-pointer":
		return "/" + word, true
	case "uri-template":
		return "/" + word + "/{id}", true
	case "relative-json-pointer":
		return "0/" + word, true
	case "uuid":
		a, b := s.random.Uint64(), s.random.Uint64()
		return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", uint32(a), uint16(a>>32), uint16(a>>48)&0xfff, uint16(b)&0x3fff|0x8000, b>>16), true
	case "byte", "base64":
		return base64.StdEncoding.EncodeToString([]byte(word)), true
	case "base64url":
		return base64.RawURLEncoding.EncodeToString([]byte(word)), true
	case "password":
		return word + " " + s.word(), true
	case "regex":
		return "^" + word + "$", true
	}
	return "", false
}

// words makes a text without a format.
func (s *sampler) words(least, most int) string {
	if !s.isVaried() {
		return "string"
	}
	text := s.word()
	for len(text) < min(least, most) {
		text += " " + s.word()
	}
	return text
}

// vocabulary are the words of texts.
var vocabulary = strings.Fields("amber basin cedar delta ember fable grove harbor island jasmine kernel lantern meadow north orchid pebble quartz river saffron timber umber valley willow yonder zephyr")

func (s *sampler) word() string { return vocabulary[s.random.IntN(len(vocabulary))] }
