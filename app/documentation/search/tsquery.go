package search

import (
	"slices"
	"strings"

	"heliograph/app/lists"
)

// tsqueries holds the tsqueries for a query. A row's breadcrumb alone never
// matches: at least one word must be in the row's own text.
type tsqueries struct {
	name   string // all words
	wide   string // all words or their synonyms; empty without synonyms
	near   string // like wide, with one word in a name of the row
	text   string // like wide, with one word in the row's own text
	most   string // all words but one, or their synonyms; empty for one word
	any    string // any word or synonym
	either string // any word
}

// newTSQueries returns the tsqueries for words, with and without synonyms. The last
// word may be incomplete, unless the documentation contains it.
func newTSQueries(words []string, known *lexicon) tsqueries {
	var name, wide, atoms []string
	for i := 0; i < len(words); {
		length, others := known.at(words[i:])
		var group []string
		for j := i; j < i+length; j++ {
			group = append(group, known.term(words[j], j == len(words)-1))
		}
		name = append(name, group...)
		ways := []string{conjunction(group)}
		for _, means := range others {
			other := exactlyAll(means)
			atoms = append(atoms, other...)
			ways = append(ways, conjunction(other))
		}
		wide = append(wide, "("+strings.Join(ways, " | ")+")")
		i += length
	}
	if len(name) == 0 {
		return tsqueries{}
	}
	all, some := strings.Join(wide, " & "), append(name[:len(name):len(name)], atoms...)
	e := tsqueries{name: strings.Join(name, " & "), either: strings.Join(name, " | "), any: within(some, "ABC"), most: allButOne(wide, within(some, "ABC"))}
	if len(atoms) > 0 {
		e.wide = all
	}
	e.near, e.text = within(some, "AB"), e.any
	if len(some) > 1 {
		e.near, e.text = all+" & ("+e.near+")", all+" & ("+e.any+")"
	}
	return e
}

// allButOne returns a tsquery for rows that match all groups but one and some
// term. It is empty for fewer than two groups.
func allButOne(groups []string, some string) string {
	if len(groups) < 2 {
		return ""
	}
	var ways []string
	for i := range groups {
		ways = append(ways, conjunction(slices.Concat(groups[:i], groups[i+1:])))
	}
	return "(" + strings.Join(ways, " | ") + ") & (" + some + ")"
}

// term returns a word as a tsquery; the last word may be incomplete, and so may
// one that the documentation lacks: react finds reaction. Words consist of letters
// and digits, so they need no escaping.
func (l *lexicon) term(word string, last bool) string {
	if l.words[word] > 0 || !last && maxEdits(word) == 0 {
		return exactly(word)
	}
	if strings.ContainsAny(word, "0123456789") && len(word) > 2 {
		return exactly(word) + ":*"
	}
	ways := []string{exactly(word)}
	for _, whole := range l.completions(word) {
		ways = append(ways, exactly(whole))
	}
	if len(ways) == 1 {
		return ways[0]
	}
	return "(" + strings.Join(ways, " | ") + ")"
}

func exactly(word string) string { return "'" + word + "'" }

func exactlyAll(words []string) []string {
	return lists.Map(words, exactly)
}

// within returns a tsquery for any of the terms at one of the weights.
func within(terms []string, weights string) string {
	list := make([]string, len(terms))
	for i, term := range terms {
		list[i] = strings.NewReplacer("':*", "':*"+weights, "' ", "':"+weights+" ", "')", "':"+weights+")").Replace(term + " ")
	}
	return strings.Join(list, " | ")
}

func conjunction(terms []string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	return "(" + strings.Join(terms, " & ") + ")"
}
