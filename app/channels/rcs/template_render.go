package rcs

import "strings"

// renderTemplate returns the message that a template becomes with the values of
// its variables.
func renderTemplate(content map[string]any, values map[string]string) map[string]any {
	message := map[string]any{}
	switch content["templateType"] {
	case textTemplate:
		text := fill(stringOf(content["text"]), values)
		pdf, ok := content["pdf"].(map[string]any)
		if !ok {
			message["text"] = text
			break
		}
		message["richCard"] = standalone(map[string]any{"cardOrientation": "VERTICAL"}, map[string]any{
			"description": text,
			"media":       map[string]any{"height": "SHORT", "contentInfo": map[string]any{"fileUrl": pdf["mediaUrl"], "fileName": pdf["fileName"]}},
		})
	case standaloneTemplate:
		card, _ := content["card"].(map[string]any)
		layout := map[string]any{"cardOrientation": content["orientation"]}
		if alignment, ok := content["alignment"]; ok {
			layout["thumbnailImageAlignment"] = alignment
		}
		message["richCard"] = standalone(layout, renderCard(card, content["height"], values))
	case carouselTemplate:
		var cards []any
		for _, card := range templateCards(content) {
			cards = append(cards, renderCard(card, content["height"], values))
		}
		message["richCard"] = map[string]any{"carouselCard": map[string]any{
			"cardWidth": strings.TrimSuffix(stringOf(content["width"]), "_WIDTH"), "cardContents": cards,
		}}
	}
	if chips := renderSuggestions(content["suggestions"]); chips != nil {
		message["suggestions"] = chips
	}
	return message
}

func standalone(layout, card map[string]any) map[string]any {
	layout["cardContent"] = card
	return map[string]any{"standaloneCard": layout}
}

// renderCard returns a card of a template as it is sent. A horizontal card has no
// height, and is sent with a medium one.
func renderCard(card map[string]any, height any, values map[string]string) map[string]any {
	out := map[string]any{}
	if title := stringOf(card["cardTitle"]); title != "" {
		out["title"] = fill(title, values)
	}
	if description := stringOf(card["cardDescription"]); description != "" {
		out["description"] = fill(description, values)
	}
	if address, ok := card["mediaUrl"]; ok {
		info := map[string]any{"fileUrl": address}
		for _, name := range []string{"thumbnailUrl", "fileName"} {
			if value, ok := card[name]; ok {
				info[name] = value
			}
		}
		size := strings.TrimSuffix(stringOf(height), "_HEIGHT")
		if size == "" {
			size = "MEDIUM"
		}
		out["media"] = map[string]any{"height": size, "contentInfo": info}
	}
	if chips := renderSuggestions(card["suggestions"]); chips != nil {
		out["suggestions"] = chips
	}
	return out
}

// renderSuggestions returns the suggestions of a template as they are sent.
func renderSuggestions(v any) (out []any) {
	listed, _ := v.([]any)
	for _, item := range listed {
		chip, _ := item.(map[string]any)
		inner := map[string]any{"text": chip["displayText"], "postbackData": chip["postback"]}
		kind := stringOf(chip["suggestionType"])
		if kind == "reply" {
			out = append(out, map[string]any{"reply": inner})
			continue
		}
		name, action := renderAction(kind, chip)
		inner[name] = action
		out = append(out, map[string]any{"action": inner})
	}
	return out
}

// renderAction returns the action of a suggestion, and its name.
func renderAction(kind string, chip map[string]any) (name string, action map[string]any) {
	switch kind {
	case "url_action":
		return "openUrlAction", map[string]any{"url": chip["url"], "application": "BROWSER"}
	case "dialer_action":
		return "dialAction", map[string]any{"phoneNumber": chip["phoneNumber"]}
	case "map_action":
		place := map[string]any{"latLong": map[string]any{"latitude": chip["latitude"], "longitude": chip["longitude"]}}
		if label, ok := chip["label"]; ok {
			place["label"] = label
		}
		return "viewLocationAction", place
	case "calendar_action":
		return "createCalendarEventAction", without(chip, "suggestionType", "displayText", "postback")
	}
	return "shareLocationAction", map[string]any{}
}
