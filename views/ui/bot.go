package ui

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
	Name, State, Reason string
	Tone                Tone
	Text                string
	Cards               []BotCard
	Chips               []string
}

// BotCard is a card of a template.
type BotCard struct {
	Title, Text, Media string
	Chips              []string
}
