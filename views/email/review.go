package email

import (
	"cmp"
	"fmt"
	"strings"
)

// ReviewEvent is something that happened to a change set.
type ReviewEvent struct {
	Event string // submitted, changes_requested, comment, approved, rejected, published or blocked
	Actor string // empty for the program itself
	Note  string // what the actor wrote, or the reason; may be empty
}

// reviewWords say what an actor did.
var reviewWords = map[string]string{
	"submitted": "%s asks for a review", "changes_requested": "%s requested changes", "comment": "%s commented", "approved": "%s approved the change set",
	"rejected": "%s rejected the change set", "published": "%s published the changes",
}

func (e ReviewEvent) text() string {
	if e.Event == "blocked" {
		return "The scheduled release did not happen"
	}
	return fmt.Sprintf(reviewWords[e.Event], cmp.Or(e.Actor, "The program"))
}

// longestNote is the number of characters of a comment that an email repeats.
const longestNote = 500

// Review says what happened to a change set. summary says what that changes, and url
// is its page.
func Review(summary string, events []ReviewEvent, url string) Message {
	title := shorten(strings.Join(strings.Fields(summary), " "), 80)
	m := Message{Subject: fmt.Sprintf("%s: %s", events[0].text(), title)}
	if len(events) > 1 {
		m.Subject = fmt.Sprintf("%d events in the review of: %s", len(events), title)
	}
	m.blocks = []block{paragraph("The change set: %s", title)}
	for _, e := range events {
		text := e.text() + "."
		if e.Note != "" {
			text = e.text() + ": " + shorten(e.Note, longestNote)
		}
		m.blocks = append(m.blocks, paragraph("%s", text))
	}
	m.blocks = append(m.blocks, link("Open the change set", url), note("You receive this email because you write or review this change set. You can turn these emails off under Password and sessions in the administration."))
	return m
}

func shorten(text string, longest int) string {
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
