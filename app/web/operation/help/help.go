// Package help answers the pages of the handbook in the administration.
package help

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/operation/help"
	"heliograph/app/web/page"
	view "heliograph/views/operation/help"
	"heliograph/views/ui"
)

// Path is the address of the handbook.
const Path = "/admin/help"

// Handbook lists the topics, or the topics that contain the words of the query q.
func Handbook(c echo.Context) error {
	query := strings.TrimSpace(c.QueryParam("q"))
	p := view.HandbookPage{
		Frame:  page.AdministrationFrame(c, "Handbook", Path),
		Filter: ui.Filter{Action: Path, Region: ui.List, Inputs: []ui.Input{{Name: "q", Label: "Find", Type: "search", Value: query}}},
		Empty:  ui.EmptyState{Title: "No topic has these words", Text: "Try fewer or other words.", Next: ui.Link{Label: "Show every topic", Href: Path}},
	}
	switch found := help.Search(query); {
	case query == "":
		for _, g := range help.Groups() {
			p.Groups = append(p.Groups, view.Group{Label: g.Label, Topics: entries(g.Topics)})
		}
	case len(found) > 0:
		p.Groups = []view.Group{{Label: "Found", Topics: entries(found)}}
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Handbook(p), Address: page.Address(Path, page.Query("q", query))})
}

func entries(topics []help.Topic) (list []view.Topic) {
	return lists.Map(topics, func(t help.Topic) view.Topic {
		return view.Topic{Link: ui.Link{Label: t.Title, Href: Path + "/" + t.Slug}, Summary: t.Summary}
	})
}

// Topic shows one topic.
func Topic(c echo.Context) error {
	t, ok := help.Find(c.Param("topic"))
	if !ok {
		return fault.New(fault.NotFound, "The handbook has no topic of this name.")
	}
	text, _ := markdown.RenderPage(t.Text, "")
	p := view.TopicPage{Frame: page.AdministrationFrame(c, t.Title, Path).Under("Handbook", Path), Summary: t.Summary, Text: ui.HTML(text)}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.HandbookTopic(p)})
}
