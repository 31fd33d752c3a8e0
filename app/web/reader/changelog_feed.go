package reader

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"strings"
	"time"

	"heliograph/app/documentation/published"
	views "heliograph/views/reader"
)

// The media types of feeds (RFC 4287, JSON Feed 1.1).
const (
	atomType     = "application/atom+xml; charset=UTF-8"
	jsonFeedType = "application/feed+json"
)

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID         string         `xml:"id"`
	Title      string         `xml:"title"`
	Updated    string         `xml:"updated"`
	Link       atomLink       `xml:"link"`
	Categories []atomCategory `xml:"category"`
	Summary    string         `xml:"summary"`
	Content    atomText       `xml:"content"`
}

type atomText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

type atomCategory struct {
	Term string `xml:"term,attr"`
}

type jsonFeed struct {
	Version     string         `json:"version"`
	Title       string         `json:"title"`
	HomePageURL string         `json:"home_page_url"`
	FeedURL     string         `json:"feed_url"`
	Items       []jsonFeedItem `json:"items"`
}

type jsonFeedItem struct {
	ID            string   `json:"id"`
	URL           string   `json:"url"`
	Title         string   `json:"title"`
	Summary       string   `json:"summary"`
	ContentText   string   `json:"content_text"`
	ContentHTML   string   `json:"content_html"`
	DatePublished string   `json:"date_published"`
	Tags          []string `json:"tags,omitempty"`
}

// feedSource is a changelog as Atom or as JSON Feed.
type feedSource struct {
	place
	changelog
}

func (src feedSource) file(ctx context.Context, s *site) ([]byte, string, error) {
	list, err := src.entries(ctx, src.product)
	if err != nil {
		return nil, "", err
	}
	return newFeed(s, src.product, src.changelog, list)
}

// newFeed writes the feed of a changelog and returns its media type.
func newFeed(s *site, p *published.Product, l changelog, list []entry) ([]byte, string, error) {
	page := s.url + changelogPath(p) + l.query()
	self := s.url + changelogPath(p) + l.form + l.query()
	title := "Changelog of " + p.Name
	if l.form == ".json" {
		feed := jsonFeed{Version: "https://jsonfeed.org/version/1.1", Title: title, HomePageURL: page, FeedURL: self, Items: []jsonFeedItem{}}
		for _, e := range list {
			row := e.view(l.endpoint)
			feed.Items = append(feed.Items, jsonFeedItem{
				ID: page + "#" + e.id(), URL: page + "#" + e.id(), Title: e.feedTitle(),
				Summary: row.Summary, ContentText: row.Summary + "\n\n" + changeList(row), ContentHTML: s.changeHTML(row),
				DatePublished: stamp(e.release.PublishedAt), Tags: e.tags(),
			})
		}
		body, err := json.Marshal(feed)
		return body, jsonFeedType, err
	}
	feed := atomFeed{
		ID: page, Title: title, Updated: stamp(updated(list)), Author: p.Name,
		Links: []atomLink{{"alternate", page}, {"self", self}},
	}
	for _, e := range list {
		shown := e.view(l.endpoint)
		row := atomEntry{
			ID: page + "#" + e.id(), Title: e.feedTitle(), Updated: stamp(e.release.PublishedAt),
			Link: atomLink{"alternate", page + "#" + e.id()}, Summary: shown.Summary, Content: atomText{"html", s.changeHTML(shown)},
		}
		for _, tag := range e.tags() {
			row.Categories = append(row.Categories, atomCategory{tag})
		}
		feed.Entries = append(feed.Entries, row)
	}
	body, err := xml.Marshal(feed)
	return append([]byte(xml.Header), body...), atomType, err
}

// text writes a changelog as Markdown.
func (l changelog) text(s *site, p *published.Product, list []entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Changelog of %s\n\n<%s>\n", p.Name, s.url+changelogPath(p)+l.query())
	for _, e := range list {
		row := e.view(l.endpoint)
		fmt.Fprintf(&b, "\n## %s\n\n%s. %s\n\n%s", e.feedTitle(), row.Published.On, row.Summary, changeList(row))
	}
	return b.String()
}

// changeList lists the changes of an entry as Markdown.
func changeList(row views.ChangelogEntry) string {
	var b strings.Builder
	for _, c := range row.Changes {
		fmt.Fprintf(&b, "- %s: %s. %s\n", changeHead(c), c.Link.Label, strings.Join(c.Texts, ", "))
	}
	for _, text := range row.Rest() {
		fmt.Fprintf(&b, "\n%s\n", text)
	}
	return b.String()
}

// changeHTML lists the changes of an entry as HTML, for readers of feeds.
func (s *site) changeHTML(row views.ChangelogEntry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<p>%s</p>", html.EscapeString(row.Summary))
	if len(row.Changes) > 0 {
		b.WriteString("<ul>")
		for _, c := range row.Changes {
			fmt.Fprintf(&b, `<li>%s: <a href="%s">%s</a>. %s</li>`, changeHead(c), html.EscapeString(s.url+c.Link.Href),
				html.EscapeString(c.Link.Label), html.EscapeString(strings.Join(c.Texts, ", ")))
		}
		b.WriteString("</ul>")
	}
	for _, text := range row.Rest() {
		fmt.Fprintf(&b, "<p>%s</p>", html.EscapeString(text))
	}
	return b.String()
}

func changeHead(c views.ChangelogChange) string {
	return c.Class.Label + ", " + strings.ToLower(c.Level.Label)
}

func (e entry) feedTitle() string {
	if e.isBreaking() {
		return e.title() + " (breaking)"
	}
	return e.title()
}

func (e entry) tags() []string {
	if e.isBreaking() {
		return []string{"breaking"}
	}
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
