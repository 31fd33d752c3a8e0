package checks

import (
	"encoding/json"
	"regexp"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/markdown"
)

// id matches the ids of a rendered text.
var id = regexp.MustCompile(` id="([^"]+)"`)

// Anchors returns the ids on the page of an item that links can name, nil for the
// pages that have more ids than their text has headings: pages of endpoints have an
// anchor for each field too.
func Anchors(kind string, raw json.RawMessage) map[string]bool {
	if kind != content.KindGuide {
		return nil
	}
	var g content.Guide
	if json.Unmarshal(raw, &g) != nil {
		return nil
	}
	html, _ := markdown.RenderPage(g.Text, "")
	anchors := map[string]bool{"main": true}
	for _, m := range id.FindAllStringSubmatch(html, -1) {
		anchors[m[1]] = true
	}
	return anchors
}
