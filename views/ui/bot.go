package ui

import "github.com/a-h/templ"

// Bot is an RCS bot as people see it.
type Bot struct {
	Name, About  string
	Logo, Banner string   // addresses; empty for none
	Screens      []string // addresses
	Facts        []Pair
	Devices      Table
	Templates    []BotTemplate
}

// BotTemplate is a template as a phone shows it.
type BotTemplate struct {
	Name, Type, State, Reason string
	Tone                      Tone
	Text                      string
	Cards                     []BotCard
	Chips                     []BotChip
	// Simulator shows the template on a phone, where it can be changed; none for
	// administrators.
	Simulator Link
}

// BotCard is a card of a template. Height is the height of its media, short, medium or
// tall; Side is left, right, or empty for above.
type BotCard struct {
	Title, Text, Media, Height, Side string
	Chips                            []BotChip
}

// BotChip is a suggestion. Leads is where it leads to, empty for a reply.
type BotChip struct{ Text, Leads string }

// scrolls lets several cards be scrolled with the keyboard.
func (t BotTemplate) scrolls() templ.Attributes {
	if len(t.Cards) < 2 {
		return nil
	}
	return templ.Attributes{"role": "group", "tabindex": "0", "aria-label": "Cards of " + t.Name}
}
