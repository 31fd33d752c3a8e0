// Package viewtest holds rules that every page and fragment obeys, for the tests
// that render them and for those that receive them from handlers.
package viewtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// The attributes of htmx and its extensions that pages may use. What is not here
// either runs script (hx-on, hx-vars), asks with the browser's own dialogs
// (hx-confirm, hx-prompt) or has no use yet.
var attributes = []string{
	"hx-boost", "hx-disable", "hx-disabled-elt", "hx-ext", "hx-get", "hx-headers", "hx-history", "hx-history-elt", "hx-include", "hx-indicator", "hx-params",
	"hx-post", "hx-preserve", "hx-push-url", "hx-replace-url", "hx-select", "hx-select-oob", "hx-swap", "hx-swap-oob", "hx-sync", "hx-target",
	"hx-trigger", "hx-vals", "preload", "preload-images", "sse-close", "sse-connect",
}

// Check returns what a page does that no page may do: run script from an
// attribute, style an element by itself, use an attribute of htmx that is not on
// the list, or ask by itself without saying so to the session.
func Check(doc *goquery.Document) (findings []string) {
	doc.Find("*").Each(func(_ int, s *goquery.Selection) {
		at := s.Nodes[0].Data
		for _, a := range s.Nodes[0].Attr {
			if wrong := check(a.Key, a.Val); wrong != "" {
				findings = append(findings, fmt.Sprintf("%s: %s=%q %s", at, a.Key, a.Val, wrong))
			}
		}
		if strings.Contains(s.AttrOr("hx-headers", ""), "X-Live") && s.Find("a, button, form, [hx-get], [hx-post]").Length() > 0 {
			findings = append(findings, fmt.Sprintf("%s: what a person clicks inherits the header X-Live and would not renew the session: give it to an empty element", at))
		}
		if trigger := s.AttrOr("hx-trigger", ""); moves(trigger) && !strings.Contains(s.AttrOr("hx-headers", ""), "X-Live") {
			findings = append(findings, fmt.Sprintf("%s: hx-trigger=%q asks by itself and needs the header X-Live, or idle pages renew their session", at, trigger))
		}
	})
	return findings
}

// moves reports whether a trigger fires without a person.
func moves(trigger string) bool {
	for spec := range strings.SplitSeq(trigger, ",") {
		if spec = strings.TrimSpace(spec); strings.HasPrefix(spec, "sse:") || strings.HasPrefix(spec, "every ") {
			return true
		}
	}
	return false
}

func check(name, value string) string {
	value = strings.TrimSpace(value)
	switch {
	case name == "style":
		return "is blocked by the policy: use a class"
	case strings.HasPrefix(name, "on"), strings.HasPrefix(name, "hx-on"), strings.HasPrefix(name, "data-hx-"):
		return "is not allowed"
	case strings.HasPrefix(name, "hx-"), strings.HasPrefix(name, "sse-"), strings.HasPrefix(name, "preload"):
		if !slices.Contains(attributes, name) {
			return "is not on the list of attributes that pages may use"
		}
	}
	switch name {
	case "hx-vals", "hx-headers":
		if strings.HasPrefix(value, "js:") || strings.HasPrefix(value, "javascript:") {
			return "runs script"
		}
	case "hx-trigger":
		if strings.Contains(value, "[") {
			return "has a filter, which is script"
		}
	}
	return ""
}
