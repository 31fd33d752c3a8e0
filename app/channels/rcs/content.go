package rcs

import (
	"maps"
	"time"
)

// The parts of a message without a template. They have the names that RCS
// Business Messaging uses.
var (
	suggestionText = text(1, 25)
	postbackData   = text(1, 2048)

	latitude  = between(-90, 90)
	longitude = between(-180, 180)

	contentInfo = object(fields{"fileUrl": publicURL, "thumbnailUrl": publicURL, "forceRefresh": boolean, "fileName": text(1, 100)}, "fileUrl")

	calendarEvent = all(object(fields{
		"startTime": dateTime, "endTime": dateTime, "title": text(1, 100), "description": text(0, 500),
	}, "startTime", "endTime", "title"), inOrder)

	actionKinds = fields{
		"dialAction": object(fields{"phoneNumber": phoneNumber}, "phoneNumber"),
		"viewLocationAction": all(object(fields{
			"latLong": object(fields{"latitude": latitude, "longitude": longitude}, "latitude", "longitude"), "label": text(0, 100), "query": text(0, 200),
		}), nonEmpty("must have latLong, label or query")),
		"createCalendarEventAction": calendarEvent,
		"openUrlAction":             object(fields{"url": webURL, "application": choice("BROWSER", "WEBVIEW")}, "url"),
		"shareLocationAction":       object(fields{}),
	}
	suggestedReply  = object(fields{"text": suggestionText, "postbackData": postbackData}, "text", "postbackData")
	suggestedAction = all(object(actionKinds.with(fields{"text": suggestionText, "postbackData": postbackData, "fallbackUrl": webURL}), "text", "postbackData"),
		exactlyOne("one action", actionKinds))
	suggestionKinds = fields{"reply": suggestedReply, "action": suggestedAction}
	suggestion      = all(object(suggestionKinds), exactlyOne("reply or action", suggestionKinds))
	suggestions     = list(0, 11, "suggestions", suggestion)

	cardMedia   = object(fields{"height": choice("SHORT", "MEDIUM", "TALL"), "contentInfo": contentInfo}, "height", "contentInfo")
	cardContent = all(object(fields{
		"title": text(1, 200), "description": text(1, 2000), "media": cardMedia, "suggestions": list(0, 4, "suggestions", suggestion),
	}), hasSubstance("title", "description", "media"))

	standaloneCard = all(object(fields{
		"cardOrientation": choice("HORIZONTAL", "VERTICAL"), "thumbnailImageAlignment": choice("LEFT", "RIGHT"), "cardContent": cardContent,
	}, "cardOrientation", "cardContent"), checkAlignment)
	carouselCard = all(object(fields{
		"cardWidth": choice("SMALL", "MEDIUM"), "cardContents": list(2, 10, "cards", cardContent),
	}, "cardWidth", "cardContents"), checkHeights)
	cardKinds = fields{"standaloneCard": standaloneCard, "carouselCard": carouselCard}
	richCard  = all(object(cardKinds), exactlyOne("standaloneCard or carouselCard", cardKinds))

	contentKinds   = fields{"text": text(1, 3072), "richCard": richCard, "contentInfo": contentInfo}
	contentMessage = all(object(contentKinds.with(fields{"suggestions": suggestions})), exactlyOne("one of text, richCard and contentInfo", contentKinds))
)

// exactlyOne is the rule of an object with one of several members. which completes
// "must have".
func exactlyOne(which string, members fields) rule {
	return func(c *check, path string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		n := 0
		for name := range members {
			if _, has := m[name]; has {
				n++
			}
		}
		if n != 1 {
			c.add(path, "combination", "must have %s", which)
		}
	}
}

// hasSubstance is the rule of a card that has one of several members.
func hasSubstance(members ...string) rule {
	return func(c *check, path string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		for _, name := range members {
			if _, has := m[name]; has {
				return
			}
		}
		c.add(path, "required", "needs a title, a description or media")
	}
}

// inOrder checks that a calendar entry ends after it starts.
func inOrder(c *check, path string, v any) {
	m, _ := v.(map[string]any)
	start, wrong := time.Parse(time.RFC3339, stringOf(m["startTime"]))
	end, alsoWrong := time.Parse(time.RFC3339, stringOf(m["endTime"]))
	if wrong == nil && alsoWrong == nil && !end.After(start) {
		c.add(join(path, "endTime"), "combination", "must be after startTime")
	}
}

// checkAlignment checks that a horizontal card has a side for its media, and no other.
func checkAlignment(c *check, path string, v any) {
	m, _ := v.(map[string]any)
	_, has := m["thumbnailImageAlignment"]
	switch {
	case has && m["cardOrientation"] == "VERTICAL":
		c.add(join(path, "thumbnailImageAlignment"), "combination", "goes with HORIZONTAL only")
	case !has && m["cardOrientation"] == "HORIZONTAL":
		c.add(join(path, "thumbnailImageAlignment"), "required", "is missing: a HORIZONTAL card has its picture LEFT or RIGHT")
	}
}

// checkHeights checks the media of the cards of a carousel: no tall one in small
// cards, and the same height in all.
func checkHeights(c *check, path string, v any) {
	m, _ := v.(map[string]any)
	cards, _ := m["cardContents"].([]any)
	first := ""
	for _, card := range cards {
		content, _ := card.(map[string]any)
		media, _ := content["media"].(map[string]any)
		height := stringOf(media["height"])
		switch {
		case height == "":
		case height == "TALL" && m["cardWidth"] == "SMALL":
			c.add(join(path, "cardWidth"), "combination", "SMALL does not go with TALL media")
			return
		case first != "" && height != first:
			c.add(join(path, "cardContents"), "combination", "must have media of the same height in every card")
			return
		default:
			first = height
		}
	}
}

func stringOf(v any) string {
	s, _ := v.(string)
	return s
}

// kindOfContent returns what a valid message shows: text, card, carousel or file.
func kindOfContent(content map[string]any) string {
	card, _ := content["richCard"].(map[string]any)
	switch {
	case card["carouselCard"] != nil:
		return "carousel"
	case card != nil:
		return "card"
	case content["contentInfo"] != nil:
		return "file"
	}
	return "text"
}

// chips returns the suggestions of a message: its own first, then the ones of its
// cards.
func chips(content map[string]any) (all []any) {
	own, _ := content["suggestions"].([]any)
	all = append(all, own...)
	for _, card := range cardsOf(content) {
		inner, _ := card["suggestions"].([]any)
		all = append(all, inner...)
	}
	return all
}

// cardsOf returns the cards of a message.
func cardsOf(content map[string]any) (cards []map[string]any) {
	rich, _ := content["richCard"].(map[string]any)
	if standalone, ok := rich["standaloneCard"].(map[string]any); ok {
		card, _ := standalone["cardContent"].(map[string]any)
		return []map[string]any{card}
	}
	carousel, _ := rich["carouselCard"].(map[string]any)
	contents, _ := carousel["cardContents"].([]any)
	for _, content := range contents {
		card, _ := content.(map[string]any)
		cards = append(cards, card)
	}
	return cards
}

// without returns an object without some members.
func without(m map[string]any, names ...string) map[string]any {
	rest := maps.Clone(m)
	for _, name := range names {
		delete(rest, name)
	}
	return rest
}
