package queries

import (
	"context"
	"crypto/sha256"
	"fmt"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// SearchForm is the form of the rows that this program writes. Products that have
// rows in another are indexed again.
const SearchForm = 5

// SearchRowDiff returns the rows of one list that the other lacks, and the
// reverse.
func SearchRowDiff(was, is []models.SearchRow) (gone, added []models.SearchRow) {
	count := map[string]int{}
	for _, r := range was {
		count[string(SearchRowDigest(r))]++
	}
	for _, r := range is {
		if digest := string(SearchRowDigest(r)); count[digest] > 0 {
			count[digest]--
		} else {
			added = append(added, r)
		}
	}
	for _, r := range was {
		if digest := string(SearchRowDigest(r)); count[digest] > 0 {
			count[digest]--
			gone = append(gone, r)
		}
	}
	return gone, added
}

// SearchRowDigest is a hash of all that a row says.
func SearchRowDigest(r models.SearchRow) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%d\x00%d\x00%t\x00%g\x00%d", SearchForm, r.ItemID, r.Deprecated, r.Weight, r.Size)
	texts := append([]string{r.Kind, r.Product, r.Version, r.Method, r.Title, r.Path, r.URL, r.Body, r.Key, r.Alias, r.Shape, r.Names, r.Others, r.Text, r.Context}, r.Breadcrumb...)
	texts = append(append(texts, "searched as"), r.SearchedAs...)
	if r.Page != nil {
		texts = append(texts, "page", r.Page.Headings, r.Page.Text, r.Page.Fields)
	}
	for _, text := range texts {
		h.Write([]byte{0})
		h.Write([]byte(text))
	}
	return h.Sum(nil)
}

// ProductListUnindexed returns the ids of live products that nothing is to be
// found of, or only in an older form. Hidden and announced ones are among them.
func ProductListUnindexed(ctx context.Context, q db.Querier) ([]int64, error) {
	return collect.Values[int64](ctx, q, `
		select id from items where kind = 'product' and practice_of is null and live_revision_id is not null and archived_at is null
		  and not exists (select from search_rows where scope_id = items.id and form = $1) order by id`, SearchForm)
}
