package rcs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// Answer is what a person does with a bot of a sandbox.
type Answer struct {
	From string // number in E.164
	// Act is what the person does: AnswerText, AnswerTyping, AnswerLocation,
	// AnswerFile, or the ID of a Suggestion that is tapped.
	Act  string
	Text string // of AnswerText
}

// What a person can do beside tapping a suggestion.
const (
	AnswerText     = "text"
	AnswerTyping   = "typing"
	AnswerLocation = "location"
	AnswerFile     = "file"
)

// Suggestion is a suggestion of a bot that can be tapped in a sandbox.
type Suggestion struct {
	ID, Text string
	From     string // the template that has it; empty for one that was sent freely
	tap      tap
}

// Suggestions returns what can be tapped of a bot: the suggestions of the messages
// that it sent last, then the ones of its templates.
func (s *Desk) Suggestions(ctx context.Context, d BotDetails) (all []Suggestion, err error) {
	const newest = 20
	seen := map[string]bool{}
	add := func(content map[string]any, from string) {
		for _, t := range tapsOf(content) {
			sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %t", t.PostbackData, t.DisplayText, t.Action))
			id := "tap-" + hex.EncodeToString(sum[:8])
			if !seen[id] {
				all = append(all, Suggestion{id, t.DisplayText, from, t})
			}
			seen[id] = true
		}
	}
	sent, err := queries.RCSPayloadList(ctx, s.pool, d.OrganisationID, d.ID, newest)
	if err != nil {
		return nil, fmt.Errorf("reading the last messages of bot %s: %w", d.ID, err)
	}
	for _, raw := range sent {
		m, err := readObject(json.RawMessage(raw))
		if err != nil {
			return nil, err
		}
		content, _ := m["contentMessage"].(map[string]any)
		add(content, stringOf(m["templateName"]))
	}
	for _, t := range d.Templates {
		preview, err := newPreview(t)
		if err != nil {
			return nil, err
		}
		if t.State == approved {
			add(preview.Content, t.Name)
		}
	}
	return all, nil
}

// maxAnswer is the limit of a text that a person writes, in characters.
const maxAnswer = 3072

// Simulate stores what a person does with a bot of a sandbox, as if a phone had
// sent it, and returns the id of the delivery. Invalid input names its fields.
func (s *Desk) Simulate(ctx context.Context, by By, botID string, a Answer) (delivery int64, err error) {
	d, err := s.Details(ctx, by.OrganisationID, botID)
	if err != nil {
		return 0, err
	}
	if !d.Sandbox {
		return 0, fault.New(fault.Conflict, "Only bots of sandboxes have people who can be played.")
	}
	taps, err := s.Suggestions(ctx, d)
	if err != nil {
		return 0, err
	}
	e, err := a.event(botID, taps)
	if err != nil {
		return 0, err
	}
	return delivery, s.change(ctx, by, botID, func(tx pgx.Tx, b *models.RCSBot) (audit.Entry, error) {
		if delivery, err = receive(ctx, tx, s.jobs, b.OrganisationID, e); err == nil && delivery == 0 {
			err = errNoWebhook
		}
		return audit.Entry{Action: "rcs_bot.simulate", Details: map[string]any{"type": e.Type}}, err
	})
}

// event returns the event of an answer.
func (a Answer) event(botID string, taps []Suggestion) (event, error) {
	from := strings.ReplaceAll(strings.TrimSpace(a.From), " ", "")
	e := newInbound(botID, from, typeUserMessage, time.Now())
	var wrong fault.Fields
	wrong.AddIf(!usableNumber.MatchString(from), "from", "Enter a number with its country code, such as +919812345678.")
	switch a.Act {
	case AnswerText:
		e.Text = strings.TrimSpace(a.Text)
		wrong.AddIf(e.Text == "" || utf8.RuneCountInString(e.Text) > maxAnswer, "text", fmt.Sprintf("Enter a text of at most %d characters.", maxAnswer))
	case AnswerTyping:
		e.Type, e.MessageID = typeTyping, ""
	case AnswerLocation:
		e.Location = &location{Latitude: 12.9716, Longitude: 77.5946}
	case AnswerFile:
		e.UserFile = &userFile{MimeType: "image/jpeg", FileSizeBytes: 48_213, FileName: "door.jpg", FileURI: "https://files.example.com/door.jpg"}
	default:
		found := false
		for _, t := range taps {
			if t.ID == a.Act {
				found = true
				e.tap(t.tap)
			}
		}
		wrong.AddIf(!found, "act", "Choose what the person does.")
	}
	return e, wrong.Err()
}
