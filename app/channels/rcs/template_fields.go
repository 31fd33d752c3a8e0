package rcs

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"

	"heliograph/db/models"
)

// The types of templates.
const (
	textTemplate       = "TEXT"
	standaloneTemplate = "STANDALONE"
	carouselTemplate   = "CAROUSEL"
)

var (
	templatePostback = text(1, 120)
	mediaHeight      = choice("SHORT_HEIGHT", "MEDIUM_HEIGHT", "TALL_HEIGHT")

	// templateSuggestionFields are the own fields of each type of suggestion, and
	// which of them are required.
	templateSuggestionFields = map[string]struct {
		own      fields
		required []string
		also     rule
	}{
		"reply":         {},
		"url_action":    {own: fields{"url": webURL}, required: []string{"url"}},
		"dialer_action": {own: fields{"phoneNumber": phoneNumber}, required: []string{"phoneNumber"}},
		"map_action":    {own: fields{"latitude": latitude, "longitude": longitude, "label": text(0, 100)}, required: []string{"latitude", "longitude"}},
		"calendar_action": {
			own:      fields{"startTime": dateTime, "endTime": dateTime, "title": text(1, 100), "description": text(0, 500)},
			required: []string{"startTime", "endTime", "title"}, also: inOrder,
		},
		"location_request": {},
	}

	templateSuggestions = list(0, 11, "suggestions", templateSuggestion)
	templateCard        = all(object(fields{
		"cardTitle": text(1, 200), "cardDescription": text(1, 2000), "mediaUrl": webURL, "thumbnailUrl": webURL, "fileName": text(1, 100),
		"suggestions": list(0, 4, "suggestions", templateSuggestion),
	}), hasSubstance("cardTitle", "cardDescription", "mediaUrl"))

	templateShared = fields{"templateType": choice(textTemplate, standaloneTemplate, carouselTemplate), "suggestions": templateSuggestions, "fallbackText": text(0, 160)}

	// templateTypes are the own fields of each type of template.
	templateTypes = map[string]struct {
		own      fields
		required []string
		also     rule
	}{
		textTemplate: {
			own:      fields{"text": text(1, 2500), "pdf": object(fields{"mediaUrl": webURL, "fileName": text(1, 100)}, "mediaUrl", "fileName")},
			required: []string{"text"}, also: checkTextWithPDF,
		},
		standaloneTemplate: {
			own:      fields{"orientation": choice("VERTICAL", "HORIZONTAL"), "alignment": choice("LEFT", "RIGHT"), "height": mediaHeight, "card": templateCard},
			required: []string{"orientation", "card"}, also: checkStandalone,
		},
		carouselTemplate: {
			own:      fields{"width": choice("SMALL_WIDTH", "MEDIUM_WIDTH"), "height": mediaHeight, "carouselList": list(2, 10, "cards", templateCard)},
			required: []string{"width", "height", "carouselList"}, also: checkCarousel,
		},
	}
)

// templateSuggestion is the rule of a suggestion of a template. Its type decides
// about its fields.
func templateSuggestion(c *check, path string, v any) {
	m, ok := asObject(c, path, v)
	if !ok {
		return
	}
	kind, known := templateSuggestionFields[stringOf(m["suggestionType"])]
	if !known {
		choice(slices.Sorted(maps.Keys(templateSuggestionFields))...)(c, join(path, "suggestionType"), m["suggestionType"])
		return
	}
	shared := fields{"suggestionType": text(1, 40), "displayText": suggestionText, "postback": templatePostback}
	object(shared.with(kind.own), append([]string{"displayText", "postback"}, kind.required...)...)(c, path, v)
	if kind.also != nil {
		kind.also(c, path, v)
	}
}

// checkTemplate checks the content of a template and the members that name it.
func checkTemplate(in map[string]any, head fields, required ...string) error {
	c := &check{}
	kind, known := templateTypes[stringOf(in["templateType"])]
	if !known {
		if _, has := in["templateType"]; !has {
			c.add("templateType", "required", "is missing")
		} else {
			choice(textTemplate, standaloneTemplate, carouselTemplate)(c, "templateType", in["templateType"])
		}
		return c.err()
	}
	object(head.with(templateShared).with(kind.own), append(append([]string{}, required...), kind.required...)...)(c, "", in)
	if kind.also != nil {
		kind.also(c, "", in)
	}
	return c.err()
}

// maxTextWithPDF is the limit of a text that is shown in a card with its PDF.
const maxTextWithPDF = 2000

func checkTextWithPDF(c *check, _ string, v any) {
	m := v.(map[string]any)
	if _, has := m["pdf"]; has && len([]rune(stringOf(m["text"]))) > maxTextWithPDF {
		c.add("text", "max_length", "must have at most %d characters with a PDF", maxTextWithPDF)
	}
}

func checkStandalone(c *check, _ string, v any) {
	m := v.(map[string]any)
	card, _ := m["card"].(map[string]any)
	_, aligned := m["alignment"]
	_, high := m["height"]
	switch {
	case m["orientation"] == "HORIZONTAL" && !aligned:
		c.add("alignment", "required", "is needed for HORIZONTAL")
	case m["orientation"] == "VERTICAL" && aligned:
		c.add("alignment", "combination", "goes with HORIZONTAL only")
	}
	switch {
	case m["orientation"] == "HORIZONTAL" && high:
		c.add("height", "combination", "goes with VERTICAL only")
	case m["orientation"] == "VERTICAL" && !high && card["mediaUrl"] != nil:
		c.add("height", "required", "is needed for media in a VERTICAL card")
	}
}

func checkCarousel(c *check, _ string, v any) {
	m := v.(map[string]any)
	if m["width"] == "SMALL_WIDTH" && m["height"] == "TALL_HEIGHT" {
		c.add("height", "combination", "TALL_HEIGHT does not go with SMALL_WIDTH")
	}
}

// variable matches a variable in either spelling.
var variable = regexp.MustCompile(`\[([A-Za-z][A-Za-z0-9_]*)\]|\{\{([A-Za-z0-9_]+)\}\}`)

// variables returns the variables of texts in the order of their first use.
func variables(texts ...string) []string {
	names := []string{}
	for _, text := range texts {
		for _, match := range variable.FindAllStringSubmatch(text, -1) {
			name := match[1] + match[2]
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// fill replaces the variables of a text by their values.
func fill(text string, values map[string]string) string {
	return variable.ReplaceAllStringFunc(text, func(match string) string {
		parts := variable.FindStringSubmatch(match)
		if value, ok := values[parts[1]+parts[2]]; ok {
			return value
		}
		return match
	})
}

// templateTexts returns the texts of a template that may have variables.
func templateTexts(content map[string]any) []string {
	texts := []string{stringOf(content["text"])}
	for _, card := range templateCards(content) {
		texts = append(texts, stringOf(card["cardTitle"]), stringOf(card["cardDescription"]))
	}
	return texts
}

// templateCards returns the cards of a template.
func templateCards(content map[string]any) (cards []map[string]any) {
	if card, ok := content["card"].(map[string]any); ok {
		return []map[string]any{card}
	}
	listed, _ := content["carouselList"].([]any)
	for _, item := range listed {
		card, _ := item.(map[string]any)
		cards = append(cards, card)
	}
	return cards
}

// readTemplate returns the content of a stored template.
func readTemplate(t models.RCSTemplate) (map[string]any, error) {
	return readObject(json.RawMessage(t.Content))
}
