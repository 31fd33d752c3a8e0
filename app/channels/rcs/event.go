package rcs

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// The types of events.
const (
	typeMessageStatus  = "MESSAGE_STATUS"
	typeUserMessage    = "USER_MESSAGE"
	typeSuggestion     = "SUGGESTION"
	typeTyping         = "TYPING"
	typeTemplateStatus = "TEMPLATE_STATUS"
	typeBotStatus      = "BOT_STATUS"
)

// event is an event as it is stored, and posted in the form DEFAULT.
type event struct {
	BotID              string            `json:"botId"`
	EventID            string            `json:"eventId"`
	Type               string            `json:"type"`
	Timestamp          string            `json:"timestamp"`
	MessageID          string            `json:"messageId,omitempty"`
	UserContact        string            `json:"userContact,omitempty"`
	Status             string            `json:"status,omitempty"`
	Channel            string            `json:"channel,omitempty"`
	Error              *messageError     `json:"error,omitempty"`
	Text               string            `json:"text,omitempty"`
	SuggestionResponse *tappedSuggestion `json:"suggestionResponse,omitempty"`
	Location           *location         `json:"location,omitempty"`
	UserFile           *userFile         `json:"userFile,omitempty"`
	TemplateID         string            `json:"templateId,omitempty"`
	TemplateName       string            `json:"templateName,omitempty"`
	VerificationStatus string            `json:"verificationStatus,omitempty"`
	LaunchStatus       string            `json:"launchStatus,omitempty"`
	Reason             string            `json:"reason,omitempty"`
	// Context is what the other forms say and DEFAULT does not.
	Context *eventContext `json:"context,omitempty"`
}

// messageError is the reason why a message was rejected or has failed.
type messageError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// tappedSuggestion is a suggestion that a user tapped.
type tappedSuggestion struct {
	PostbackData string `json:"postbackData"`
	DisplayText  string `json:"displayText"`
}

// location is a place that a user shared, in degrees.
type location struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// userFile is a file that a user sent.
type userFile struct {
	MimeType      string `json:"mimeType"`
	FileSizeBytes int64  `json:"fileSizeBytes,omitempty"`
	FileName      string `json:"fileName,omitempty"`
	FileURI       string `json:"fileUri"`
}

// eventContext holds what only some forms of an event say.
type eventContext struct {
	BotName   string `json:"botName,omitempty"`
	BrandName string `json:"brandName,omitempty"`
	OldLaunch string `json:"oldLaunch,omitempty"`
	Action    bool   `json:"action,omitempty"` // an action was tapped, not a reply
}

func newEvent(botID, kind string, at time.Time) event {
	return event{BotID: botID, EventID: "ev_" + uuid.NewString(), Type: kind, Timestamp: eventTime(at)}
}

// store stores an event for the webhook of its bot, if one was ever set. It
// returns the id of the delivery, or 0 without one.
func (e event) store(ctx context.Context, tx pgx.Tx, jobs args.Inserter) (int64, error) {
	w, err := queries.WebhookGet(ctx, tx, Channel, e.BotID)
	if err != nil {
		return 0, db.Absent(err, nil, "reading the webhook of bot %s", e.BotID)
	}
	stored, err := relay.Store(ctx, tx, jobs, relay.Event{WebhookID: w.ID, Failing: w.Failures > 0, Kind: e.logKind(), Body: e})
	if err != nil || len(stored) == 0 {
		return 0, err
	}
	return stored[0].ID, nil
}

// logKind returns the kind of an event in the log of callbacks.
func (e event) logKind() string {
	switch e.Type {
	case typeMessageStatus:
		return "rcs." + e.Status
	default:
		return "rcs." + e.Type
	}
}

// relayBot stores the event about a bot after a change of its state.
func relayBot(ctx context.Context, tx pgx.Tx, jobs args.Inserter, was, b models.RCSBot) error {
	if was.Verification == b.Verification && was.Launch == b.Launch {
		return nil
	}
	e := newEvent(b.ID, typeBotStatus, time.Now())
	e.VerificationStatus, e.LaunchStatus, e.Reason = b.Verification, b.Launch, b.Reason
	e.Context = &eventContext{BotName: b.Name, BrandName: brandName(b), OldLaunch: was.Launch}
	_, err := e.store(ctx, tx, jobs)
	return err
}

// brandName returns the name of the brand behind a bot.
func brandName(b models.RCSBot) string {
	profile, err := readObject(b.Profile)
	if name, _ := profile["brandName"].(string); err == nil && name != "" {
		return name
	}
	return b.Name
}

// relayTemplate stores the event about a template that was reviewed.
func relayTemplate(ctx context.Context, tx pgx.Tx, jobs args.Inserter, t models.RCSTemplate) error {
	e := newEvent(t.BotID, typeTemplateStatus, time.Now())
	e.TemplateID, e.TemplateName, e.Status, e.Reason = t.ID, t.Name, t.State, t.Reason
	_, err := e.store(ctx, tx, jobs)
	return err
}
