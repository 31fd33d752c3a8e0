package api

import (
	"net/url"
	"slices"
	"strings"
)

// route is an operation that a request can mean.
type route struct {
	*operation
	params map[string]string
	word   string // the name of the channel in the path, empty when it has none
}

// channelWord stands for the name of the channel in patterns.
const channelWord = "msgapp"

// match finds the operations for a method and an escaped path relative to the
// surface: those with the most literal segments. There is more than one only
// where the kind of an id decides. A trailing slash is tolerated. When the path
// is known under other methods only, allowed lists them.
func match(table []operation, words []string, method, path string) (found []route, allowed []string) {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, segment := range segments {
		if plain, err := url.PathUnescape(segment); err == nil {
			segments[i] = plain
		}
	}
	best := -1
	for i := range table {
		r := route{operation: &table[i], params: map[string]string{}}
		literals, ok := r.fit(segments, words)
		switch {
		case !ok:
		case table[i].method != method:
			allowed = append(allowed, table[i].method)
		case literals > best:
			found, best = []route{r}, literals
		case literals == best:
			found = append(found, r)
		}
	}
	slices.Sort(allowed)
	return found, slices.Compact(allowed)
}

// fit matches the operation's pattern, such as "/{phone_number_id}/messages",
// and counts its literal segments.
func (r *route) fit(segments, words []string) (literals int, ok bool) {
	parts := strings.Split(strings.TrimPrefix(r.pattern, "/"), "/")
	if len(parts) != len(segments) {
		return 0, false
	}
	for i, part := range parts {
		literal, name, isParam := strings.Cut(part, "{")
		switch {
		case isParam:
			value, ok := strings.CutPrefix(segments[i], literal)
			if !ok || value == "" {
				return 0, false
			}
			r.params[strings.TrimSuffix(name, "}")] = value
			if literal != "" {
				literals++
			}
		case r.literal(part, segments[i], words):
			literals++
		default:
			return 0, false
		}
	}
	return literals, true
}

// literal compares a segment, under any name of the channel.
func (r *route) literal(part, segment string, words []string) bool {
	if !strings.Contains(part, channelWord) {
		return part == segment
	}
	for _, word := range words {
		if strings.Replace(part, channelWord, word, 1) == segment {
			r.word = word
			return true
		}
	}
	return false
}
