package search

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// fillers are words that say nothing about what is looked for.
var fillers = set("a", "an", "the", "of", "for", "in", "on", "with", "and", "or", "is", "are", "be", "do", "does", "how", "i", "it", "my", "me", "can", "what", "which", "when", "where", "by", "its", "your", "this", "that", "to", "why", "was", "were", "am", "if", "did", "has", "have", "should", "would", "will", "there", "any")

func set(words ...string) map[string]bool {
	s := map[string]bool{}
	for _, word := range words {
		s[word] = true
	}
	return s
}

// maxWords is how many words of a query are looked for.
const maxWords = 8

// parsed is a query as it was understood.
type parsed struct {
	method string // asked for with the query: post:messages
	shapes []string
	like   string // pattern of shapes, of a query that is a path
	path   string // such a query in lower case
	key    string
	words  []string
}

var methodPrefix = regexp.MustCompile(`(?i)^(get|put|post|patch|delete|head|options)(?:\s*:\s*|\s+(?:/|\{|https?://)|$)`)

// parse understands the forms of a query: words, names, paths, and either after
// a method. lone says that no filter by method is set already.
func parse(text string, lone bool) parsed {
	var p parsed
	rest := strings.TrimSpace(text)
	if m := methodPrefix.FindStringSubmatchIndex(rest); m != nil && lone {
		separated := rest[m[3]:]
		if strings.ContainsAny(separated, ":/{") {
			p.method = strings.ToUpper(rest[:m[3]])
			rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(separated), ":"))
		}
	}
	if strings.Contains(rest, "/") && !strings.ContainsAny(rest, " \t") {
		p.asPath(rest)
	} else {
		p.key = squeeze(rest)
	}
	p.words = meaningful(split(rest))
	return p
}

// meaningful leaves fillers out, unless there is nothing else.
func meaningful(words []string) []string {
	kept := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return fillers[word] })
	if len(kept) == 0 {
		kept = words
	}
	return kept[:min(len(kept), maxWords)]
}

var (
	digits   = regexp.MustCompile(`^(\d{3,}|:\w+)$`)
	escaping = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
)

// asPath reads a query as a path: with parameters in any notation, with values
// in their place, with a server or a base path before it.
func (p *parsed) asPath(text string) {
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		text = u.Path
	}
	text, _, _ = strings.Cut(text, "?")
	p.path, text = strings.ToLower(text), shape(text)
	segments := strings.Split(strings.TrimSuffix(text, "/"), "/")
	for i, segment := range segments {
		if digits.MatchString(segment) {
			segments[i] = "{}"
		}
	}
	whole := strings.Join(segments, "/")
	p.like = "%" + escaping.Replace(whole) + "%"
	for i, segment := range segments {
		rest := "/" + strings.Join(segments[i:], "/")
		if segment != "" && strings.Trim(rest, "/{}") != "" {
			p.shapes = append(p.shapes, rest, rest+"/")
		}
	}
}
