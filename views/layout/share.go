package layout

import (
	"net/url"

	"heliograph/static"
	"heliograph/views/ui"
)

// pageFacts describes a page in the words of schema.org.
type pageFacts struct {
	Context     string   `json:"@context"`
	Type        string   `json:"@type"`
	Headline    string   `json:"headline"`
	Description string   `json:"description,omitempty"`
	URL         string   `json:"url"`
	Language    string   `json:"inLanguage"`
	PartOf      siteFact `json:"isPartOf"`
}

type siteFact struct {
	Type string `json:"@type"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

func (p Page) facts() pageFacts {
	return pageFacts{
		Context: "https://schema.org", Type: "TechArticle", Headline: p.heading(), Description: p.Description, URL: p.Canonical, Language: "en",
		PartOf: siteFact{"WebSite", p.name(), p.origin() + "/"},
	}
}

// trailFacts are the breadcrumbs of a page in the words of schema.org.
type trailFacts struct {
	Context string      `json:"@context"`
	Type    string      `json:"@type"`
	Items   []crumbFact `json:"itemListElement"`
}

type crumbFact struct {
	Type     string `json:"@type"`
	Position int    `json:"position"`
	Name     string `json:"name"`
	Item     string `json:"item"`
}

func (p Page) trail() trailFacts {
	trail := trailFacts{Context: "https://schema.org", Type: "BreadcrumbList"}
	for i, l := range p.Crumbs {
		at := p.Canonical
		if l.Exists() && !l.Current {
			at = p.origin() + l.Href
		}
		trail.Items = append(trail.Items, crumbFact{"ListItem", i + 1, l.Label, at})
	}
	return trail
}

// image is the absolute address of the picture beside links to the page.
func (p Page) image() string {
	if p.Image == "" {
		return p.origin() + static.URL("img/card.png")
	}
	return p.Image
}

// heading is the title without the name of the site, which is given beside it.
func (p Page) heading() string {
	if p.Title == "" {
		return p.name()
	}
	return p.Title
}

// origin is the scheme and host of the canonical address.
func (p Page) origin() string {
	u, err := url.Parse(p.Canonical)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// report returns the link to the contact form that names this page.
func (p Page) report() ui.Link {
	u, err := url.Parse(p.Address)
	if err != nil || u.Path == "" {
		return ui.Link{}
	}
	return ui.Link{Label: "Report a problem", Href: "/contact-us?page=" + url.QueryEscape(u.Path)}
}
