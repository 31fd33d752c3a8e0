package rcs

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
	"heliograph/views/email"
)

// deskRows is how many bots and templates the desk lists.
const deskRows = 200

// Desk shows bots with their messages, to administrators and to their
// organisations, and decides about them.
type Desk struct {
	owned
	jobs      args.Inserter
	publicURL string // start of links in emails
	now       func() time.Time
	// Mail notifies owners; nil for nobody.
	Mail notification.Mailer
}

// DeskBots returns the bots of all organisations, those that wait for an
// administrator first.
func (s *Desk) DeskBots(ctx context.Context) ([]models.RCSBot, error) {
	bots, err := queries.RCSBotListAll(ctx, s.pool, deskRows)
	if err != nil {
		return nil, fmt.Errorf("listing bots: %w", err)
	}
	return bots, nil
}

// DeskTemplates returns the templates that wait for their review, oldest first.
func (s *Desk) DeskTemplates(ctx context.Context) ([]models.RCSTemplate, error) {
	waiting, err := queries.RCSTemplateListPending(ctx, s.pool, deskRows)
	if err != nil {
		return nil, fmt.Errorf("listing templates to review: %w", err)
	}
	return waiting, nil
}

// BotDetails is a bot with what people see of it.
type BotDetails struct {
	models.RCSBot
	Profile    map[string]any
	Submission map[string]any
	Images     []string // names
	Devices    []models.RCSDevice
	Templates  []models.RCSTemplate
}

// Details returns everything about a bot; with an organisation only if it owns it.
func (s *Desk) Details(ctx context.Context, organisationID int64, id string) (d BotDetails, err error) {
	b, err := queries.RCSBotGet(ctx, s.pool, id)
	owner := organisationID
	owner = cmp.Or(owner, b.OrganisationID)
	if d.RCSBot, err = ownBot(owner, id)(b, err); err != nil {
		return d, err
	}
	if d.Profile, err = readObject(b.Profile); err != nil {
		return d, err
	}
	if d.Submission, err = readObject(b.Submission); err != nil {
		return d, err
	}
	if d.Images, err = queries.RCSImageNames(ctx, s.pool, id); err != nil {
		return d, fmt.Errorf("listing the images of bot %s: %w", id, err)
	}
	if d.Devices, err = queries.RCSDeviceList(ctx, s.pool, id); err != nil {
		return d, fmt.Errorf("listing the test devices of bot %s: %w", id, err)
	}
	d.Templates, err = queries.RCSTemplateList(ctx, s.pool, queries.RCSTemplateFilter{OrganisationID: b.OrganisationID, BotID: id}, queries.RCSPage{Limit: deskRows})
	if err != nil {
		return d, fmt.Errorf("listing the templates of bot %s: %w", id, err)
	}
	return d, nil
}

// Image returns an image of a bot; with an organisation only if it owns it.
func (s *Desk) Image(ctx context.Context, organisationID int64, botID, name string) (models.RCSImage, error) {
	if organisationID != 0 {
		if _, err := findBot(ctx, s.pool, organisationID, botID); err != nil {
			return models.RCSImage{}, err
		}
	}
	i, err := queries.RCSImageGet(ctx, s.pool, botID, name)
	if err != nil {
		return i, db.Absent(err, fault.New(fault.NotFound, "The bot has no such image."), "reading an image of bot %s", botID)
	}
	return i, nil
}

// maxReason is the limit of a reason in characters.
const maxReason = 500

// Make makes a move of a bot on behalf of an administrator. The owners of the
// organisation get an email, and the webhook of the bot an event.
func (s *Desk) Make(ctx context.Context, actor, id string, m lifecycle.Move, reason string) error {
	if len([]rune(reason)) > maxReason {
		return fault.InvalidFields(fault.Field{Name: "reason", Message: fmt.Sprintf("Enter at most %d characters.", maxReason)})
	}
	return db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		b, err := writes.RCSBotLock(ctx, tx, id)
		if err != nil {
			return db.Absent(err, errNoBot(), "reading bot %s", id)
		}
		was := b
		if err := m.Apply(&b, reason); err != nil {
			return err
		}
		if m == lifecycle.Verify && b.ClientID == nil {
			clientID := newClientID()
			b.ClientID = &clientID
		}
		if err := writes.RCSBotUpdate(ctx, tx, b); err != nil {
			return fmt.Errorf("storing bot %s: %w", id, err)
		}
		if err := s.notify(ctx, tx, b, m); err != nil {
			return err
		}
		if err := relayBot(ctx, tx, s.jobs, was, b); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: "rcs_bot." + string(m), Target: "rcs_bot:" + id, Details: map[string]any{"reason": reason, "organisation": b.OrganisationID},
		})
	})
}

func newClientID() string {
	var b [5]byte
	_, _ = rand.Read(b[:]) // never fails
	return "rcs-" + hex.EncodeToString(b[:])
}

// outcomes say in an email what has happened to a bot.
var outcomes = map[lifecycle.Move]string{
	lifecycle.Verify: "was verified", lifecycle.Reject: "was not verified", lifecycle.RequestLaunch: "was put forward for launch", lifecycle.Launch: "is launched", lifecycle.RefuseLaunch: "was not launched",
	lifecycle.Suspend: "is suspended and sends nothing", lifecycle.Resume: "may send again", lifecycle.Unlaunch: "is being taken back", lifecycle.EndLaunch: "is no longer launched",
}

// notify queues an email to the owners of a bot.
func (s *Desk) notify(ctx context.Context, tx pgx.Tx, b models.RCSBot, m lifecycle.Move) error {
	if s.Mail == nil {
		return nil
	}
	_, err := notification.TellOwners(ctx, tx, s.Mail, b.OrganisationID, notification.Email{
		Purpose: "rcs_bot", Topic: "rcs_bot:" + b.ID, ExpiresAt: s.now().Add(24 * time.Hour),
		Message: email.BotChanged(b.Name, outcomes[m], b.Reason, s.publicURL+"/account/bots/"+b.ID),
	})
	return err
}

// ReviewTemplate stores the review of an administrator: approved without a reason,
// otherwise rejected.
func (s *Desk) ReviewTemplate(ctx context.Context, actor, id, reason string) error {
	if len([]rune(reason)) > maxReason {
		return fault.InvalidFields(fault.Field{Name: "reason", Message: fmt.Sprintf("Enter at most %d characters.", maxReason)})
	}
	return db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		t, err := writes.RCSTemplateLock(ctx, tx, id)
		if err != nil {
			return db.Absent(err, fault.New(fault.NotFound, "This template does not exist."), "reading template %s", id)
		}
		if t.State != pending {
			return fault.New(fault.Conflict, "The template is already %s.", t.State)
		}
		if err := reviewed(ctx, tx, s.jobs, t, reason); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: "rcs_template.review", Target: "rcs_template:" + id, Details: map[string]any{"reason": reason}})
	})
}

// IssueSecret makes a new client secret of a verified bot and returns it. Only its
// hash is stored.
func (s *Desk) IssueSecret(ctx context.Context, by By, id string) (secret string, err error) {
	secret = randomText()
	return secret, s.change(ctx, by, id, func(tx pgx.Tx, b *models.RCSBot) (audit.Entry, error) {
		if b.ClientID == nil {
			return audit.Entry{}, fault.New(fault.Conflict, "The bot gets its client id when it is verified.")
		}
		sum := sha256.Sum256([]byte(secret))
		return audit.Entry{Action: "rcs_bot.secret"}, writes.RCSBotUpdateSecret(ctx, tx, id, sum[:])
	})
}
