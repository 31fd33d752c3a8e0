package content

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Problem is a field that must change before an item can be published.
type Problem struct {
	Field   string // JSON name
	Message string // what to enter, a sentence
}

// Check returns the problems that keep an item of a kind from being published.
func Check(kind string, raw json.RawMessage) []Problem {
	switch kind {
	case KindProduct:
		var p Product
		return check(raw, &p, func(l *problems) {
			l.require("name", p.Name, "Give the product a name.")
			if _, err := ReadIcon(p.Icon); p.Icon != "" && err != nil {
				text := err.Error()
				l.add("icon", false, strings.ToUpper(text[:1])+text[1:]+".")
			}
			if _, err := ReadBaseURL(p.BaseURL); err != nil {
				text := err.Error()
				l.add("base_url", false, strings.ToUpper(text[:1])+text[1:]+".")
			}
		})
	case KindVersion:
		var v Version
		return check(raw, &v, func(l *problems) {
			l.add("label", slices.Contains([]string{Current, Beta, Deprecated, Retired}, v.Label), "Choose Current, Beta, Deprecated or Retired.")
			l.add("sunset_on", v.Label != Retired || v.RetiredOn == "" || v.SunsetOn <= v.RetiredOn, "A retired version has stopped working: enter the day of its retirement, an earlier one or none.")
			l.lifecycle(v)
			l.add("frame", isObject(v.Frame), "The frame must be an API description without its parts.")
		})
	case KindEndpoint, KindCallback:
		var e Endpoint
		return check(raw, &e, func(l *problems) {
			l.require("name", e.Name, "Give the operation a name.")
			l.require("method", e.Method, "Choose a method.")
			l.require("path", e.Path, "Enter a path.")
			l.add("raw", isObject(e.Raw), "The operation must be an object.")
		})
	case KindSchema:
		var c Schema
		return check(raw, &c, func(l *problems) {
			l.require("name", c.Name, "Give the schema a name.")
			l.add("raw", len(c.Raw) > 0 && string(c.Raw) != "null", "The schema is missing.")
		})
	case KindCategory:
		var c Category
		return check(raw, &c, func(l *problems) { l.require("name", c.Name, "Give the category a name.") })
	case KindGuide:
		var g Guide
		return check(raw, &g, func(l *problems) { l.require("title", g.Title, "Give the guide a title.") })
	}
	return nil
}

type problems []Problem

func (l *problems) require(field, value, message string) {
	l.add(field, strings.TrimSpace(value) != "", message)
}

func (l *problems) add(field string, ok bool, message string) {
	if !ok {
		*l = append(*l, Problem{field, message})
	}
}

// check reads content into a struct and checks it.
func check(raw json.RawMessage, into any, judge func(l *problems)) []Problem {
	var l problems
	if err := json.Unmarshal(raw, into); err != nil {
		return []Problem{{"content", "The content does not have the form of its kind: " + err.Error() + "."}}
	}
	judge(&l)
	return l
}

func isObject(raw json.RawMessage) bool {
	return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{"))
}
