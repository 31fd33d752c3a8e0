package rcs

import "heliograph/db/models"

// Picture is what a phone shows of a template, with the names of its variables as
// their values.
type Picture struct {
	Text  string
	Cards []PictureCard
	Chips []string
}

// PictureCard is one card of a Picture.
type PictureCard struct {
	Title, Text string
	Media       string // name or address of its file, empty for none
	Chips       []string
}

// NewPicture returns what a phone shows of a template.
func NewPicture(t models.RCSTemplate) (Picture, error) {
	preview, err := NewPreview(t)
	if err != nil {
		return Picture{}, err
	}
	p := Picture{Text: stringOf(preview.Content["text"]), Chips: chipTexts(preview.Content["suggestions"])}
	for _, card := range cardsOf(preview.Content) {
		shown := PictureCard{Title: stringOf(card["title"]), Text: stringOf(card["description"]), Chips: chipTexts(card["suggestions"])}
		media, _ := card["media"].(map[string]any)
		info, _ := media["contentInfo"].(map[string]any)
		if shown.Media = stringOf(info["fileName"]); shown.Media == "" {
			shown.Media = stringOf(info["fileUrl"])
		}
		p.Cards = append(p.Cards, shown)
	}
	return p, nil
}

// chipTexts returns the words of suggestions.
func chipTexts(v any) (texts []string) {
	listed, _ := v.([]any)
	for _, item := range listed {
		chip, _ := item.(map[string]any)
		for _, kind := range []string{"reply", "action"} {
			if inner, ok := chip[kind].(map[string]any); ok {
				texts = append(texts, stringOf(inner["text"]))
			}
		}
	}
	return texts
}
