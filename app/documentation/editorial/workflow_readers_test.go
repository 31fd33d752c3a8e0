package editorial_test

import (
	"strings"

	"heliograph/app/documentation/published"
	"heliograph/db"
)

// readers holds that no word of a draft is in anything that readers are served from:
// the latest releases, the rows of the search, and the documentation of a web process.
func (m *machine) readers() {
	m.Helper()
	public := map[string]bool{}
	for _, i := range m.w.Items {
		if i.Live != 0 {
			for _, word := range words.FindAllString(m.revisions[i.Live].Content, -1) {
				public[word] = true
			}
		}
	}
	hold := func(where, text string) {
		for _, word := range words.FindAllString(text, -1) {
			if !public[word] {
				m.fail("readers can see %s in %s", word, where)
			}
		}
	}
	for where, sql := range map[string]string{
		"the search": `select coalesce(string_agg(concat_ws(' ', title, url, body, path, page::text, breadcrumb::text), ' '), '') from search_rows`,
		"its names":  `select coalesce(string_agg(concat_ws(' ', key, alias, shape), ' '), '') from search_names`,
		"its words":  `select coalesce(string_agg(word, ' '), '') from search_words`,
		"the latest releases": `select coalesce(string_agg(v.content::text, ' '), '') from releases r join release_items x on x.release_id = r.id join revisions v on v.id = x.revision_id
			join items i on i.id = r.scope_id where i.archived_at is null and not exists (select from releases l where l.scope_id = r.scope_id and l.number > r.number)`,
	} {
		var text string
		m.ok(m.pool.QueryRow(m.Context(), sql).Scan(&text))
		hold(where, text)
	}
	c := published.New(m.pool, db.NewListener(m.pool))
	m.ok(c.Refresh(m.Context()))
	for _, p := range c.Snapshot().Products {
		hold("the catalogue", strings.Join([]string{p.Name, p.Summary}, " "))
		for _, g := range p.Guides {
			hold("the guides", strings.Join([]string{g.Title, g.Summary}, " "))
		}
	}
}

// kept holds that everything that was saved is in a revision of its author.
func (m *machine) kept() {
	m.Helper()
	var all strings.Builder
	now := newArchive()
	_, err := now.read(m.Context(), m.pool)
	m.ok(err)
	found := map[string]int64{}
	for _, r := range sorted(now.revisions) {
		for _, word := range words.FindAllString(r.Content, -1) {
			if found[word] == 0 {
				found[word] = r.Author
			}
		}
	}
	for word, author := range m.saves {
		if found[word] != author {
			all.WriteString(" " + word)
		}
	}
	if all.Len() > 0 {
		m.fail("no revision has%s", all.String())
	}
}
