package rcs

import (
	"fmt"
	"strings"

	"heliograph/db/models"
)

// Picture is what a phone shows of a template, with the names of its variables as
// their values.
type Picture struct {
	Text  string
	Cards []pictureCard
	Chips []PictureChip
}

// pictureCard is one card of a Picture.
type pictureCard struct {
	Title, Text string
	Media       string // name or address of its file, empty for none
	Height      string // of the media: short, medium or tall
	Side        string // of the media: left, right, or empty for above
	Chips       []PictureChip
}

// PictureChip is a suggestion. Leads is where it leads to, empty for a reply.
type PictureChip struct{ Text, Leads string }

// NewPicture returns what a phone shows of a template.
func NewPicture(t models.RCSTemplate) (Picture, error) {
	preview, err := newPreview(t)
	if err != nil {
		return Picture{}, err
	}
	p := Picture{Text: stringOf(preview.Content["text"]), Chips: chipsShown(preview.Content["suggestions"])}
	rich, _ := preview.Content["richCard"].(map[string]any)
	standalone, _ := rich["standaloneCard"].(map[string]any)
	side := ""
	if standalone["cardOrientation"] == "HORIZONTAL" {
		side = strings.ToLower(stringOf(standalone["thumbnailImageAlignment"]))
	}
	for _, card := range cardsOf(preview.Content) {
		shown := pictureCard{Title: stringOf(card["title"]), Text: stringOf(card["description"]), Side: side, Chips: chipsShown(card["suggestions"])}
		media, _ := card["media"].(map[string]any)
		info, _ := media["contentInfo"].(map[string]any)
		shown.Height = strings.ToLower(stringOf(media["height"]))
		if shown.Media = stringOf(info["fileName"]); shown.Media == "" {
			shown.Media = stringOf(info["fileUrl"])
		}
		p.Cards = append(p.Cards, shown)
	}
	return p, nil
}

// chipsShown returns what is shown of suggestions.
func chipsShown(v any) (shown []PictureChip) {
	listed, _ := v.([]any)
	for _, item := range listed {
		chip, _ := item.(map[string]any)
		if reply, ok := chip["reply"].(map[string]any); ok {
			shown = append(shown, PictureChip{Text: stringOf(reply["text"])})
		}
		if action, ok := chip["action"].(map[string]any); ok {
			shown = append(shown, PictureChip{Text: stringOf(action["text"]), Leads: leadsTo(action)})
		}
	}
	return shown
}

// leadsTo says in words where an action leads to.
func leadsTo(action map[string]any) string {
	of := func(name string) map[string]any { m, _ := action[name].(map[string]any); return m }
	switch {
	case of("openUrlAction") != nil:
		return stringOf(of("openUrlAction")["url"])
	case of("dialAction") != nil:
		return "calls " + stringOf(of("dialAction")["phoneNumber"])
	case of("createCalendarEventAction") != nil:
		return "adds " + stringOf(of("createCalendarEventAction")["title"]) + " to the calendar"
	case of("viewLocationAction") != nil:
		if label := stringOf(of("viewLocationAction")["label"]); label != "" {
			return "shows " + label
		}
		place, _ := of("viewLocationAction")["latLong"].(map[string]any)
		return fmt.Sprintf("shows %v, %v", place["latitude"], place["longitude"])
	}
	return "shares the location"
}
