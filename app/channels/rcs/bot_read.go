package rcs

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// BotView is a bot as the API shows it: the fields that its owner set, and its
// state.
type BotView map[string]any

func viewBot(b models.RCSBot) (BotView, error) {
	view, err := readObject(b.Profile)
	if err != nil {
		return nil, err
	}
	view["botId"], view["orgId"] = b.ID, strconv.FormatInt(b.OrganisationID, 10)
	view["verificationStatus"], view["launchStatus"] = b.Verification, b.Launch
	view["relayWebhookUrl"], view["payloadTransformType"] = b.WebhookURL, b.Transform
	view["createdAt"], view["updatedAt"] = timestamp(b.CreatedAt), timestamp(b.UpdatedAt)
	if b.ClientID != nil {
		view["clientId"] = *b.ClientID
	}
	switch {
	case b.Reason == "":
	case b.Verification == rejected || b.Launch == rejected:
		view["rejectionReason"] = b.Reason
	default:
		view["launchReason"] = b.Reason
	}
	return view, nil
}

// timestamp formats a time for the API.
func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// eventTime formats the time of an event, in milliseconds: the events of a message
// follow each other quickly, and partners sort by it.
func eventTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// Bot returns a bot of an organisation.
func (s *Bots) Bot(ctx context.Context, organisationID int64, id string) (BotView, error) {
	b, err := findBot(ctx, s.pool, organisationID, id)
	if err != nil {
		return nil, err
	}
	return viewBot(b)
}

// BotByClientID returns the bot of an organisation with a client id.
func (s *Bots) BotByClientID(ctx context.Context, organisationID int64, clientID string) (BotView, error) {
	b, err := ownBot(organisationID, clientID)(queries.RCSBotGetByClientID(ctx, s.pool, clientID))
	if err != nil {
		return nil, err
	}
	return viewBot(b)
}

// BotID returns the id of the bot of an organisation with a name.
func (s *Bots) BotID(ctx context.Context, organisationID int64, name string) (string, error) {
	b, err := queries.RCSBotGetByName(ctx, s.pool, organisationID, name)
	if err != nil {
		return "", db.Absent(err, errNoBot(), "looking for a bot")
	}
	return b.ID, nil
}

// Bots returns a page of the bots of an organisation, newest first, and how many
// there are; with a launch state only those in it.
func (s *Bots) Bots(ctx context.Context, organisationID int64, launch string, p Page) ([]BotView, int, error) {
	n, err := queries.RCSBotCount(ctx, s.pool, organisationID, launch)
	if err != nil {
		return nil, 0, fmt.Errorf("counting bots: %w", err)
	}
	bots, err := queries.RCSBotList(ctx, s.pool, organisationID, launch, p.rows())
	if err != nil {
		return nil, 0, fmt.Errorf("listing bots: %w", err)
	}
	views := make([]BotView, len(bots))
	for i, b := range bots {
		if views[i], err = viewBot(b); err != nil {
			return nil, 0, err
		}
	}
	return views, n, nil
}

// rows returns the rows of a page.
func (p Page) rows() queries.RCSPage {
	return queries.RCSPage{Offset: (p.Number - 1) * p.Size, Limit: p.Size}
}
