package portal

import (
	"net/http"
	"slices"

	"heliograph/app/spec"
	"heliograph/views/ui"
)

// langName is the query parameter and the cookie that name the language of
// samples. The parameter is for one address and goes first; script keeps the
// cookie, so that pages stay the same for everybody.
const langName = "lang"

var (
	languages = spec.Languages()
	// syntaxes are the languages that are coloured by another name.
	syntaxes = map[string]string{"curl": "shell", "nodejs": "javascript"}
)

// chosen is the language that a request asks for, as an index of languages;
// the first when it asks for none, or for one that there is not.
func chosen(r *http.Request) int {
	if r.URL.RawQuery != "" {
		if i := language(r.URL.Query().Get(langName)); i >= 0 {
			return i
		}
	}
	if cookie, err := r.Cookie(langName); err == nil {
		return max(0, language(cookie.Value))
	}
	return 0
}

// language finds a language by its slug, -1 when it is none.
func language(slug string) int {
	return slices.IndexFunc(languages, func(l spec.Language) bool { return l.Slug == slug })
}

// languageLinks leads to the same page in each language.
func languageLinks(current spec.Language) []ui.Link {
	links := make([]ui.Link, len(languages))
	for i, l := range languages {
		links[i] = ui.Link{Label: l.Name, Href: "?" + langName + "=" + l.Slug, Current: l == current}
	}
	return links
}
