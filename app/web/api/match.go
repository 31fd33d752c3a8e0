package api

import (
	"net/url"
	"slices"
	"strings"
)

// route is an operation that matches a request.
type route struct {
	*operation
	params map[string]string
	word   string // the name of the channel in the path, if any
}

// match returns the operations for a method and an escaped path relative to the
// surface: those with the most literal segments. There are several only where the
// kind of an id decides. A trailing slash is ignored. If these operations have other
// methods only, allowed lists them.
func (s *surface) match(method, path string) (found []route, allowed []string) {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, segment := range segments {
		if plain, err := url.PathUnescape(segment); err == nil {
			segments[i] = plain
		}
	}
	best := -1
	for i := range s.table {
		o := &s.table[i]
		literals, word, ok := o.fit(segments, s.words)
		switch {
		case !ok || literals < best:
			continue
		case literals > best:
			found, allowed, best = found[:0], nil, literals
		}
		if o.method == method {
			found = append(found, route{operation: o, word: word})
		} else {
			allowed = append(allowed, o.method)
		}
	}
	for i := range found {
		found[i].params = found[i].read(segments)
	}
	slices.Sort(allowed)
	return found, slices.Compact(allowed)
}

// fit matches the pattern of the operation, such as "/{phone_number_id}/messages",
// and counts its literal segments. Every request tries every operation, so fit
// does not allocate.
func (o *operation) fit(segments []string, words channelWords) (literals int, word string, ok bool) {
	if len(o.parts) != len(segments) {
		return 0, "", false
	}
	for i := range o.pieces {
		p := &o.pieces[i]
		switch {
		case p.param != "":
			if len(segments[i]) <= len(p.literal) || !strings.HasPrefix(segments[i], p.literal) {
				return 0, "", false
			}
			if p.literal != "" {
				literals++
			}
		case p.named && words.pattern != "":
			if word = words.read(p.literal, segments[i]); word == "" {
				return 0, "", false
			}
			literals++
		case p.literal == segments[i]:
			literals++
		default:
			return 0, "", false
		}
	}
	return literals, word, true
}

// piece is a segment of a pattern: a literal, or a parameter that may begin with one.
type piece struct {
	literal, param string
	named          bool // the literal has the name of the channel
}

func piecesOf(parts []string) []piece {
	pieces := make([]piece, len(parts))
	for i, part := range parts {
		literal, name, _ := strings.Cut(part, "{")
		pieces[i] = piece{literal, strings.TrimSuffix(name, "}"), strings.Contains(part, wordPattern)}
	}
	return pieces
}

// read returns the parameters in segments that match.
func (o *operation) read(segments []string) map[string]string {
	params := map[string]string{}
	for i, p := range o.pieces {
		if p.param != "" {
			params[p.param] = segments[i][len(p.literal):]
		}
	}
	return params
}

// channelWords holds the names of a channel in paths. It is empty for a surface
// with paths that do not contain the name.
type channelWords struct {
	pattern string   // placeholder in patterns
	names   []string // the default first
}

// read returns the name of the channel with which a part matches a segment, or "".
func (w channelWords) read(part, segment string) string {
	if w.pattern == "" {
		return ""
	}
	before, after, has := strings.Cut(part, w.pattern)
	rest, fits := strings.CutPrefix(segment, before)
	for _, word := range w.names {
		if has && fits && rest == word+after {
			return word
		}
	}
	return ""
}
