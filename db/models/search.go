package models

// SearchRow is one thing that a reader can look for. Key, Alias and Shape are
// what whole names and paths are compared with; Names to Context are words in
// lower case with spaces between them.
type SearchRow struct {
	ItemID     int64
	Kind       string // product, version, category, endpoint, schema, field, example, error or guide
	Product    string // slug
	Version    string // slug, empty for a product
	Method     string // of its endpoint, empty for none
	Title      string
	Path       string // of its endpoint, empty for none
	URL        string
	Breadcrumb []string // from the product inwards
	Body       string   // plain text
	Deprecated bool
	Weight     float32 // how much it is worth by what it is, 1 for an endpoint
	Key        string  // the title, squeezed
	Alias      string  // another name, squeezed; empty for none
	Shape      string  // of an endpoint's path; empty for none

	Names   string // words of the name, at least one
	Size    int    // how many of them the title has
	Others  string // words of other names: path, place
	Text    string // words of the body
	Context string // words of where it stands

	SearchedAs []string // what people call the page

	Page *SearchPage // of a row that answers as a whole page; nil for a part of one
}

// SearchPage holds the words of a page, without its title. They are in
// lower case with spaces between them.
type SearchPage struct {
	Headings string // and names of what the page is for
	Text     string
	Fields   string
}

// SearchQuery is what to look for. Tsqueries hold words that are letters and
// digits alone.
type SearchQuery struct {
	Key    string   // squeezed query for whole and begun names; empty skips them
	Shapes []string // shapes of paths that match as a whole
	Like   string   // pattern of shapes that match in part; empty skips it
	Name   string   // tsquery of names; empty skips words altogether
	Wide   string   // the same with synonyms
	Near   string   // tsquery of names and what stands around them, by weights
	Text   string   // tsquery of everything, by weights
	Either string   // tsquery that tells how many of the words a row has
	Size   int      // words in the query

	Written  bool // the query is written as one name of several words: botName
	Complete bool // its last word is one of the documentation, not typed in part

	Kind, Product, Version, Method string // filters; empty takes all

	PerKind int // at most so many results of each kind
	Limit   int // at most so many results
}

// SearchPageQuery is what to look for on whole pages. All and Some are tsqueries;
// the slices hold the ways in which each group of words can be met.
type SearchPageQuery struct {
	All  string // every group
	Some string // every group but one, or fewer

	Groups []int32   // the group of each way
	Worths []float32 // what the way is worth: how rare its words are
	Ways   []string  // tsquery of all words of the way
	Words  []string  // tsquery of any word of the way

	Phrases []string // tsqueries of neighbouring words of the query

	Places   []float32 // what a word is worth in a field, the text, a heading and the title
	Together float32   // what it is worth that all neighbouring words stand together

	Kind, Product, Version, Method string // filters; empty takes all
	Guides                         bool   // guides alone, that meet every group
	Limit                          int
}

// SearchResult is a row that was found. Pages come without breadcrumb and body.
type SearchResult struct {
	ID int64
	SearchRow
	Score float32
	Total int // rows that match, counted up to a bound
	Twins int // rows that say the same and are left out
}

// Synonym makes a term find what is said with other words.
type Synonym struct {
	Term  string
	Means string
}

// SearchWord is a word of the index.
type SearchWord struct {
	Word string
	Rows int // that have it
}
