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
	p := parts{text: text}
	if m.phrases != nil {
		for _, at := range m.phrases.FindAllStringIndex(text, -1) {
			m.markWords(&p, at[0])
			p.add(at[1]-at[0], true)
		}
	}
	m.markWords(&p, len(text))
	return p.list
}

// parts collects the parts of a text from its beginning.
type parts struct {
	text string
	list []Part
	from int // where the last part begins
	end  int // of the last part
}

// add adds the next bytes of the text, to the last part if that is marked alike.
func (p *parts) add(bytes int, marked bool) {
	if bytes == 0 {
		return
	}
	last := len(p.list) - 1
	if last < 0 || p.list[last].Marked != marked {
		p.list, p.from, last = append(p.list, Part{Marked: marked}), p.end, last+1
	}
	p.end += bytes
	p.list[last].Text = p.text[p.from:p.end]
}

// markWords adds the parts up to an offset, between which there is no phrase.
func (m *marker) markWords(p *parts, to int) {
	for p.end < to {
		text := p.text[p.end:to]
		name := nameLength(text)
		if name == 0 {
			p.add(pieceLength(text), false)
			continue
		}
		whole := m.matches(squeeze(text[:name]))
		for end := p.end + name; p.end < end; {
			n := pieceLength(p.text[p.end:end])
			p.add(n, whole || m.matches(p.text[p.end:p.end+n]))
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
