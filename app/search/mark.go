package search

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Part is a piece of text. Marked pieces match the query.
type Part struct {
	Text   string
	Marked bool
}

// marker finds the words of a query in texts.
type marker struct {
	query   []string // words of the query
	words   []string
	phrases *regexp.Regexp // synonyms of several words; nil for none
}

// newMarker returns a marker for the words and their synonyms. A synonym of
// several words is marked as a whole: otp marks "one-time password", not "one".
func newMarker(words []string, known *lexicon) *marker {
	m := &marker{query: words}
	add := func(word string) {
		if len(word) > 1 {
			m.words = append(m.words, stem(word))
		}
	}
	for _, word := range words {
		add(word)
	}
	var phrases []string
	for i := range words {
		_, others := known.at(words[i:])
		for _, means := range others {
			if len(means) == 1 {
				add(means[0])
			} else {
				phrases = append(phrases, strings.Join(means, `[\s_-]*`)+`\pL*`) // words are letters and digits
			}
		}
	}
	if len(phrases) > 0 {
		m.phrases = regexp.MustCompile(`(?i)\b(?:` + strings.Join(phrases, "|") + `)`)
	}
	return m
}

// stem removes the most frequent endings of English words. It serves marking, titles
// and synonyms; the database decides what matches.
func stem(word string) string {
	for _, ending := range []string{"ations", "ation", "ings", "ing", "ies", "ied", "es", "ed", "s", "e", "y"} {
		if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) > 2 {
			return rest
		}
	}
	return word
}

func (m *marker) matches(word string) bool {
	word = strings.ToLower(word)
	for _, w := range m.words {
		if word == w || strings.HasPrefix(word, w) && len(w) > 1 && stem(word) == w || len(w) > 2 && strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}

// share returns the share of a title's words that match, fillers aside.
func (m *marker) share(title string, words []string) float32 {
	met, all := 0, 0
	for _, word := range words {
		if fillers[word] {
			continue
		}
		all++
		if m.matches(word) {
			met++
		}
	}
	if m.phrases != nil {
		met = max(met, len(split(m.phrases.FindString(title))))
	}
	return min(1, float32(met)/float32(max(1, all)))
}

// mark splits text at the words that match. The parts joined are the text.
func (m *marker) mark(text string) []Part {
	var parts []Part
	add := func(text string, marked bool) {
		if last := len(parts) - 1; last >= 0 && parts[last].Marked == marked {
			parts[last].Text += text
		} else if text != "" {
			parts = append(parts, Part{text, marked})
		}
	}
	from := 0
	if m.phrases != nil {
		for _, at := range m.phrases.FindAllStringIndex(text, -1) {
			m.markWords(text[from:at[0]], add)
			add(text[at[0]:at[1]], true)
			from = at[1]
		}
	}
	m.markWords(text[from:], add)
	return parts
}

// markWords adds the parts of a text without phrases.
func (m *marker) markWords(text string, add func(text string, marked bool)) {
	for text != "" {
		name := nameLength(text)
		whole := name > 0 && m.matches(squeeze(text[:name]))
		for end := len(text) - max(name, 1); len(text) > end; {
			n := min(pieceLength(text), max(len(text)-end, 1))
			add(text[:n], whole || m.matches(text[:n]))
			text = text[n:]
		}
	}
}

// nameLength returns the length of the name at the beginning of text: letters,
// digits, - and _. It is zero if text begins with another character.
func nameLength(text string) int {
	for i, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && (i == 0 || r != '_' && r != '-') {
			return i
		}
	}
	return len(text)
}

// pieceLength returns the length of the word at the beginning of text, or of the
// characters before the next word. A name in camel case has several words.
func pieceLength(text string) int {
	previous, first := rune(0), true
	isWord := false
	for i, r := range text {
		word := unicode.IsLetter(r) || unicode.IsDigit(r)
		if first {
			isWord, first = word, false
		} else if word != isWord || word && unicode.IsUpper(r) && !unicode.IsUpper(previous) {
			return i
		} else if word && unicode.IsUpper(previous) && unicode.IsUpper(r) {
			next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			if unicode.IsLower(next) {
				return i
			}
		}
		previous = r
	}
	return len(text)
}

// snippet returns at most most bytes of text around the first word that matches.
func (m *marker) snippet(text string, most int) string {
	if len(text) <= most {
		return text
	}
	at := 0
	for rest := text; rest != ""; {
		n := pieceLength(rest)
		if m.matches(rest[:n]) {
			at = len(text) - len(rest)
			break
		}
		rest = rest[n:]
	}
	begin := 0
	if at > most/2 {
		begin = at - most/3
		if space := strings.IndexByte(text[begin:at], ' '); space >= 0 {
			begin += space + 1
		}
		if stop := strings.LastIndex(text[begin:at], ". "); stop >= 0 {
			begin += stop + 2
		}
	}
	for begin > 0 && !utf8.RuneStart(text[begin]) {
		begin--
	}
	piece := text[begin:]
	if len(piece) > most {
		piece = cut(piece, most)
		if space := strings.LastIndexByte(piece, ' '); space > most/2 {
			piece = piece[:space]
		}
		piece += " …"
	}
	if begin > 0 && !strings.HasSuffix(text[:begin], ". ") {
		piece = "… " + piece
	}
	return piece
}
