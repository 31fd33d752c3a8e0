package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// pages searches for pages that meet as much as possible of the query, wherever
// its words stand on them. Guides are searched alone where enough else has all
// words in its name.
func (s *session) pages(ctx context.Context, guides bool) ([]models.SearchResult, error) {
	q := s.lexicon.pageQuery(s.parsed.words)
	if q.All == "" {
		return nil, nil
	}
	q.Places, q.Together = placeWorths, together
	q.Kind, q.Product, q.Version = s.query.Kind, s.query.Product, s.query.Version
	q.Method, q.Limit, q.Guides = cmp.Or(s.query.Method, s.parsed.method), maxPages, guides
	pages, err := queries.SearchPageFind(ctx, s.engine.db, q)
	if err != nil {
		return nil, err
	}
	wanted := s.wanted()
	for i := range pages {
		pages[i].Score *= pages[i].Weight * pageWorth * s.kindWorth(pages[i]) * wanted.titleScore(pages[i])
	}
	slices.SortStableFunc(pages, func(a, b models.SearchResult) int { return cmp.Compare(b.Score, a.Score) })
	return pages, nil
}

// wantsPages reports whether whole pages are searched for. They are not for a path
// or for a single word that is still being typed.
func (s *session) wantsPages() bool {
	words := s.parsed.words
	if s.parsed.like != "" || len(words) == 0 {
		return false
	}
	return len(words) > 1 || s.lexicon.words[words[0]] > 0
}

// pageQuery returns the query of pages for words. What a group of words is worth
// depends on how rare it is in the documentation.
func (l *lexicon) pageQuery(words []string) models.SearchPageQuery {
	var q models.SearchPageQuery
	var groups []string
	var rarities []float64
	add := func(rarity float64, way []string, worth float64) string {
		q.Groups, q.Worths = append(q.Groups, int32(len(groups))), append(q.Worths, float32(rarity*worth)) //nolint:gosec // few
		q.Ways, q.Words = append(q.Ways, conjunction(way)), append(q.Words, strings.Join(way, " | "))
		return conjunction(way)
	}
	for i := 0; i < len(words); {
		length, others := l.at(words[i:])
		var own []string
		rarity := 0.0
		for j := i; j < i+length; j++ {
			own = append(own, l.term(words[j], j == len(words)-1))
			rarity = max(rarity, l.rarity(words[j]))
		}
		ways := []string{add(rarity, own, 1)}
		for _, means := range others {
			if containsAll(words, means) {
				continue // the query says that itself
			}
			ways = append(ways, add(rarity, exactlyAll(means), synonymWorth))
		}
		groups, rarities = append(groups, "("+strings.Join(ways, " | ")+")"), append(rarities, rarity)
		i += length
	}
	sum := 0.0
	for _, rarity := range rarities {
		sum += rarity
	}
	for i := range q.Worths {
		q.Worths[i] /= float32(sum)
	}
	q.All, q.Some = strings.Join(groups, " & "), someOf(groups, rarities)
	for i := range len(words) - 1 {
		q.Phrases = append(q.Phrases, exactly(words[i])+" <-> "+exactly(words[i+1]))
	}
	return q
}

// containsAll reports whether words holds all of others.
func containsAll(words, others []string) bool {
	return !slices.ContainsFunc(others, func(word string) bool { return !slices.Contains(words, word) })
}

// rarity returns what a word is worth by how few rows contain it, in any form.
func (l *lexicon) rarity(word string) float64 {
	rows := float64(max(l.words[word], l.stems[stem(word)]))
	return math.Log(2 + float64(l.most)/(1+rows))
}

// someOf returns a tsquery for pages that meet either of the two rarest groups, or
// have any two in their title. A page that meets all groups but one is among them: so
// is one that says in two words what the query says in a sentence of other rare ones. It
// is empty for one group.
func someOf(groups []string, rarities []float64) string {
	if len(groups) < 2 {
		return ""
	}
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rarities[b], rarities[a]) })
	some := []string{groups[order[0]], groups[order[1]]}
	for i, at := range order[2:] {
		for _, with := range order[2 : 2+i] {
			some = append(some, "("+within(groups[at:at+1], "A")+" & "+within(groups[with:with+1], "A")+")")
		}
	}
	return strings.Join(some, " | ")
}

// merge puts pages among results by their scores. A page that is a result already
// has the better of its scores.
func (s *session) merge(f found) []models.SearchResult {
	all := join(slices.Clone(f.rows), f.pages)
	s.weigh(all)
	merged := foldTwins(all)
	count := max(total(f.rows), len(merged))
	kinds := map[string]int{}
	merged = slices.DeleteFunc(merged, func(r models.SearchResult) bool {
		kinds[r.Kind]++
		return kinds[r.Kind] > cmp.Or(s.query.PerKind, s.query.Limit)
	})
	merged = merged[:min(len(merged), s.query.Limit)]
	if len(merged) > 0 {
		merged[0].Total = min(count, MaxTotal)
	}
	return merged
}

// foldTwins leaves one of the fields and error codes that say the same in several
// places of a version, the best, and of each guide the best place.
func foldTwins(list []models.SearchResult) []models.SearchResult {
	at := map[string]int{}
	folded := make([]models.SearchResult, 0, len(list))
	guides := map[string]bool{}
	for _, r := range list {
		if page, _, _ := strings.Cut(r.URL, "#"); r.Kind == "guide" {
			if guides[page] {
				continue
			}
			guides[page] = true
		}
		if r.Kind == "field" || r.Kind == "error" {
			twin := strings.Join([]string{r.Kind, r.Product, r.Version, r.Title}, " ")
			if r.Kind == "field" {
				twin += " " + r.Body
			}
			if i, known := at[twin]; known {
				folded[i].Twins++
				continue
			}
			at[twin] = len(folded)
		}
		folded = append(folded, r)
	}
	return folded
}
