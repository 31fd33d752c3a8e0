package search

import (
	"slices"
	"strings"
)

// expressions are the tsqueries of a query. Of those for everything that a row
// has, at least one word is what it says itself, not where it stands.
type expressions struct {
	name   string // all words
	wide   string // all words, or what else they are called; empty without such
	near   string // the same, one of them a name of the row
	text   string // the same, one of them said by the row
	most   string // all words but one, or what else they are called; empty under two
	any    string // some word, or what else it is called
	either string // some word
}

// express writes the words as tsqueries: all of them, with and without what
// else they are called. The last word may have been typed in part, unless it
// is one that the documentation knows.
func express(words []string, known *lexicon) expressions {
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
			var other []string
			for _, word := range means {
				other = append(other, exactly(word))
			}
			atoms = append(atoms, other...)
			ways = append(ways, conjunction(other))
		}
		wide = append(wide, "("+strings.Join(ways, " | ")+")")
		i += length
	}
	if len(name) == 0 {
		return expressions{}
	}
	all, some := strings.Join(wide, " & "), append(name[:len(name):len(name)], atoms...)
	e := expressions{name: strings.Join(name, " & "), either: strings.Join(name, " | "), any: within(some, "ABC"), most: most(wide, within(some, "ABC"))}
	if len(atoms) > 0 {
		e.wide = all
	}
	e.near, e.text = within(some, "AB"), e.any
	if len(some) > 1 {
		e.near, e.text = all+" & ("+e.near+")", all+" & ("+e.any+")"
	}
	return e
}

// most is what has all groups but one, and one of the words itself.
func most(groups []string, some string) string {
	if len(groups) < 2 {
		return ""
	}
	var ways []string
	for i := range groups {
		ways = append(ways, conjunction(slices.Concat(groups[:i], groups[i+1:])))
	}
	return "(" + strings.Join(ways, " | ") + ") & (" + some + ")"
}

// term is one word of a tsquery; the last may have been typed in part. Words
// are letters and digits alone, so that nothing in them needs escaping.
func (l *lexicon) term(word string, last bool) string {
	if !last || l.words[word] > 0 {
		return exactly(word)
	}
	if strings.ContainsAny(word, "0123456789") && len(word) > 2 {
		return exactly(word) + ":*"
	}
	ways := []string{exactly(word)}
	for _, whole := range l.begun(word) {
		ways = append(ways, exactly(whole))
	}
	if len(ways) == 1 {
		return ways[0]
	}
	return "(" + strings.Join(ways, " | ") + ")"
}

func exactly(word string) string { return "'" + word + "'" }

// within is some of the terms at one of the weights.
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
