package search

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"heliograph/app/lists"
)

// fillers are words without meaning for a search.
var fillers = set("a", "an", "the", "of", "for", "in", "on", "with", "and", "or", "is", "are", "be", "do", "does", "how", "i", "it", "my", "me", "can", "what", "which", "when", "where", "by", "its", "your", "this", "that", "to", "why", "was", "were", "am", "if", "did", "has", "have", "should", "would", "will", "there", "any")

func set(words ...string) map[string]bool {
	return lists.Set(words)
}

// maxWords is the maximum number of words of a query that count, without meaningless ones.
const maxWords = 8

// parsed is the meaning of a query.
type parsed struct {
	method string // prefix of the query, as in post:messages
	shapes []string
	like   string // pattern of shapes, for a path
	path   string // the path in lower case
	key    string
	words  []string

	identifier bool // written as a name of code: botName, bot_name
	question   bool // asked in words: how, what, where
}

// people are the words for those who ask, who are asked and who are written to, and
// other words of sentences that say nothing about what is looked for.
var people = set("whats", "wheres", "whos", "hes", "shes", "theres", "lets", "you", "we", "us", "our", "they", "them", "their", "these", "those", "who", "whose", "whether", "while", "than", "then", "but", "at", "as", "into", "so", "could", "may", "might", "must", "just", "also", "im", "vs", "via", "each", "every", "customer", "customers", "user", "users", "people", "person", "someone", "somebody", "anyone", "got", "still", "now", "already", "ever", "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "wont", "cant", "couldnt", "havent", "hasnt", "no", "anymore")

// asking are the words that a question begins with.
var asking = set("how", "what", "whats", "which", "when", "where", "wheres", "why", "who", "whos", "can", "does", "do", "is", "are", "should")

// doing are words of questions that say nothing about what is asked for.
var doing = set("find", "get", "need", "want", "use", "using", "know", "not", "does", "happens", "work", "works", "check", "difference", "differences", "between")

// versionNumber matches a query that is the number of a version alone.
var versionNumber = regexp.MustCompile(`^[vV]?\d{1,3}(\.\d{1,3}){1,2}$`)

var methodPrefix = regexp.MustCompile(`(?i)^(get|put|post|patch|delete|head|options)(?:\s*:\s*|\s+(?:/|\{|https?://)|$)`)

// parse reads a query: words, a name or a path, optionally after a method. The
// method counts only if anyMethod is true, that is, without a filter by method.
func parse(text string, anyMethod bool) parsed {
	var p parsed
	rest := strings.TrimSpace(text)
	if versionNumber.MatchString(rest) {
		rest = "version " + strings.TrimLeft(rest, "vV")
	}
	if m := methodPrefix.FindStringSubmatchIndex(rest); m != nil && anyMethod {
		separated := rest[m[3]:]
		if strings.ContainsAny(separated, ":/{") {
			p.method = strings.ToUpper(rest[:m[3]])
			rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(separated), ":"))
		}
	}
	if strings.Contains(rest, "/") && !strings.ContainsAny(rest, " \t") {
		p.parsePath(rest)
	} else {
		p.key = squeeze(rest)
	}
	all := split(apostrophes.Replace(rest))
	p.words = meaningful(meaningful(all, people), fillers)
	p.identifier = len(all) > 1 && !strings.ContainsAny(rest, " -:/")
	if len(all) > 2 && asking[all[0]] {
		p.question, p.words = true, meaningful(p.words, doing)
	}
	p.words = p.words[:min(len(p.words), maxWords)]
	return p
}

// apostrophes are left out of words: don't is dont.
var apostrophes = strings.NewReplacer("'", "", "’", "")

// meaningful returns words without the words of a set, unless it holds them all.
func meaningful(words []string, without map[string]bool) []string {
	kept := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return without[word] })
	if len(kept) == 0 {
		kept = words
	}
	return kept
}

var (
	digits   = regexp.MustCompile(`^(\d{3,}|:\w+)$`)
	escaping = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
)

// parsePath reads a query as a path. Parameters may be in any notation or
// replaced by values, and a server or base path may precede the path.
func (p *parsed) parsePath(text string) {
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
