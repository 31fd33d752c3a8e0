package search

import (
	"strings"
)

// expressions are the tsqueries of a query.
type expressions struct{ name, wide, text, any string }

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
		atoms = append(atoms, group...)
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
	e := expressions{name: strings.Join(name, " & ")}
	if len(atoms) > len(name) {
		e.wide = strings.Join(wide, " & ")
	}
	for i, atom := range atoms {
		atoms[i] = own(atom)
	}
	e.any = strings.Join(atoms, " | ")
	e.text = strings.Join(wide, " & ") + " & (" + e.any + ")"
	if len(name) == 1 && len(atoms) == 1 {
		e.text = e.any
	}
	return e
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

// own restricts a term to what a row says itself: not where it stands.
func own(term string) string {
	return strings.NewReplacer("':*", "':*ABC", "' ", "':ABC ", "')", "':ABC)").Replace(term + " ")
}

func conjunction(terms []string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	return "(" + strings.Join(terms, " & ") + ")"
}
