package desk

import "heliograph/views/ui"

// Mark is the state of an item in a word.
type Mark struct {
	Tone ui.Tone
	Text string
}
