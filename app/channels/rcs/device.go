package rcs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/operation/audit"
	"heliograph/app/operation/limit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// The answers to an invitation.
const (
	accepted = "ACCEPTED"
	declined = "DECLINED"
)

// Devices invites phones to test bots.
type Devices struct {
	owned
	connections
	jobs    args.Inserter
	limiter *limit.Limiter
}

// Device is a test device as the API shows it.
type Device struct {
	PhoneNumber string `json:"phoneNumber"`
	Status      string `json:"status"`
}

// invitations is how many devices a bot may invite.
var invitations = limit.Limit{Name: "rcs_invitations", Burst: maxInvited, Period: 24 * time.Hour}

// AddDevice invites a phone to test a bot. A phone that was invited before stays
// as it is, unless it declined.
func (s *Devices) AddDevice(ctx context.Context, by By, in input.Object) (Device, error) {
	c := &check{}
	object(fields{"botId": opaqueID, "phoneNumber": phoneNumber, "name": text(0, 100)}, "botId", "phoneNumber")(c, "", map[string]any(in))
	if err := c.err(); err != nil {
		return Device{}, err
	}
	b, err := findBot(ctx, s.pool, by.OrganisationID, in["botId"].(string))
	if err != nil {
		return Device{}, err
	}
	if err := s.checkCarrier(ctx, b); err != nil {
		return Device{}, err
	}
	name, _ := in["name"].(string)
	d := models.RCSDevice{BotID: b.ID, Number: digits(in["phoneNumber"].(string)), Name: name, State: pending}
	if b.Sandbox && !isVirtuallyCapable(d.Number) {
		return Device{}, &fault.Error{Kind: fault.NotFound, Message: "This phone cannot receive RCS", Fields: []fault.Field{
			{Name: "phoneNumber", Code: "rcs_disabled", Message: "cannot receive RCS"},
		}}
	}
	err = s.change(ctx, by, b.ID, func(tx pgx.Tx, b *models.RCSBot) (audit.Entry, error) {
		e := audit.Entry{Action: "rcs_device.invite", Details: map[string]any{"number": "+" + d.Number}}
		known, err := queries.RCSDeviceGet(ctx, tx, b.ID, d.Number)
		if err == nil && known.State != declined {
			d = known
			return e, nil
		}
		if err != nil && !db.IsNoRows(err) {
			return e, fmt.Errorf("looking for a test device: %w", err)
		}
		devices, err := queries.RCSDeviceList(ctx, tx, b.ID)
		if err != nil {
			return e, fmt.Errorf("listing test devices: %w", err)
		}
		if known.Number == "" && len(devices) >= maxDevices {
			return e, tooMany(fmt.Sprintf("A bot has at most %d test devices", maxDevices), 24*time.Hour)
		}
		if err := s.limiter.Take(ctx, invitations, b.ID); err != nil {
			if f := fault.As(err); f != nil && f.Kind == fault.Limited {
				return e, tooMany(fmt.Sprintf("A bot sends %d invitations at once at most, then one more every 72 minutes", maxInvited), f.RetryAfter)
			}
			return e, err
		}
		if err := writes.RCSDeviceUpsert(ctx, tx, d); err != nil {
			return e, fmt.Errorf("storing a test device: %w", err)
		}
		if !b.Sandbox {
			return e, nil
		}
		_, err = s.jobs.InsertTx(ctx, tx, args.AnswerInvitation{BotID: b.ID, Number: d.Number}, nil)
		return e, err
	})
	return Device{PhoneNumber: "+" + d.Number, Status: d.State}, err
}

func tooMany(message string, wait time.Duration) error {
	return &fault.Error{Kind: fault.Limited, Message: message, RetryAfter: wait}
}

// AnswerInvitation stores what a phone of the virtual carrier answers, in the caller's
// transaction. Some phones never answer.
func AnswerInvitation(ctx context.Context, tx pgx.Tx, botID, number string) error {
	state := virtualAnswer(number)
	if state == "" {
		return nil
	}
	if err := writes.RCSDeviceUpdate(ctx, tx, models.RCSDevice{BotID: botID, Number: number, State: state}); err != nil {
		return fmt.Errorf("storing the answer of a test device: %w", err)
	}
	return nil
}

// The endings of numbers that the virtual carrier knows for invitations.
const (
	endsIncapable  = "0011"
	endsDeclining  = "0012"
	endsUnanswered = "0013"
)

func isVirtuallyCapable(number string) bool { return !strings.HasSuffix(number, endsIncapable) }

// virtualAnswer returns how a phone of the virtual carrier answers an invitation;
// empty if it never does.
func virtualAnswer(number string) string {
	switch {
	case strings.HasSuffix(number, endsDeclining):
		return declined
	case strings.HasSuffix(number, endsUnanswered):
		return ""
	}
	return accepted
}

// digits returns the digits of a number in E.164.
func digits(number string) string { return strings.TrimPrefix(number, "+") }
