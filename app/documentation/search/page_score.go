package search

import (
	"cmp"
	"slices"

	"heliograph/db/models"
)

// Factors of the scores of pages that meet all of a query, beside rows that are
// found by their names.
const (
	pageWorth     = 0.8
	synonymWorth  = 0.8  // of a synonym, beside the word itself
	titleWorth    = 0.3  // share that depends on how much of a title the query has
	askedWorth    = 0.12 // share that depends on how much of the query a title has
	nameWorth     = 0.2  // of another name of the page in the query, instead of the title
	guideWorth    = 1.05
	questionWorth = 1.35 // of guides for a question, further

	fieldWorth = 0.62 // of fields for a query that is not written as the name of one
	otherWorth = 0.5  // of the products that a query does not name, if it names one

	together = 0.05 // for neighbouring words that stand together
	maxPages = 24   // pages of one search
)

// placeWorths are what a word is worth in a field, the text, a heading and the title.
var placeWorths = []float32{0.15, 0.4, 0.7, 1}

// kindWorth returns what a page is worth by its kind, for the query.
func (s *session) kindWorth(page models.SearchResult) float32 {
	switch {
	case page.Kind != "guide":
		return 1
	case s.parsed.question:
		return guideWorth * questionWorth
	}
	return guideWorth
}

// wanted is what titles are compared with: the stems of the query's words and how
// rare they are, and the marker of the query.
type wanted struct {
	stems    []string
	rarities []float64
	sum      float64
	marker   *marker
}

func (s *session) wanted() wanted {
	w := wanted{marker: s.marks()}
	for _, word := range s.parsed.words {
		rarity := s.lexicon.rarity(word)
		w.stems, w.rarities, w.sum = append(w.stems, stem(word)), append(w.rarities, rarity), w.sum+rarity
	}
	return w
}

// titleScore returns what a page is worth by its title: by how much of the title the
// query has, and how much of the query the title. Another name of the page, which
// must share much with the query both ways, may stand for the title.
func (w wanted) titleScore(page models.SearchResult) float32 {
	share, asked := w.shares(page.Title)
	best := titleWorth*share + askedWorth*asked
	for _, name := range page.SearchedAs {
		share, asked := w.shares(name)
		best = max(best, nameWorth*share*asked)
	}
	return 1 - titleWorth - askedWorth + best
}

// shares returns the share of a title's words that the query has, and the share of
// the query, by how rare its words are, that the title has.
func (w wanted) shares(title string) (share, asked float32) {
	words := split(title)
	met := 0.0
	for i, s := range w.stems {
		if slices.ContainsFunc(words, func(word string) bool { return stem(word) == s }) {
			met += w.rarities[i]
		}
	}
	return w.marker.share(title, words), float32(met / w.sum)
}

// names reports whether the query names a product of these words, by them or by
// another name beside other words.
func (s *session) names(product []string) bool {
	words := s.parsed.words
	for i := 0; i < len(words); {
		length, others := s.lexicon.at(words[i:])
		if length < len(words) && slices.ContainsFunc(others, func(means []string) bool { return slices.Equal(means, product) }) {
			return true
		}
		i += length
	}
	return containsAll(words, product)
}

// named returns the products that the query names.
func (s *session) named() []string {
	return slices.DeleteFunc(slices.Clone(s.lexicon.products), func(product string) bool { return !s.names(split(product)) })
}

// weigh multiplies the scores of results by what only the whole query tells: fields
// are worth less where none is written out, and so are other products than the one
// that is named.
func (s *session) weigh(list []models.SearchResult) {
	named := s.named()
	for i, r := range list {
		if r.Kind == "field" && !s.parsed.identifier {
			list[i].Score *= fieldWorth
		}
		if len(named) > 0 && !slices.Contains(named, r.Product) {
			list[i].Score *= otherWorth
		}
	}
	slices.SortStableFunc(list, func(a, b models.SearchResult) int { return cmp.Compare(b.Score, a.Score) })
}
