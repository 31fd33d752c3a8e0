package retention

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/phone"
	"heliograph/db"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

// Erasure names a recipient, to delete their data.
type Erasure struct {
	OrganisationID int64  // Everyone for all organisations
	Recipient      string // number with country code, or user id
	Reason         string // for the audit
	Actor          string
}

// Erased counts what an erasure deletes.
type Erased struct {
	Messages int // sent to the recipient
	Received int // written by the recipient
	Waiting  int // still on their way; erase again when they have their end
}

// errCounted undoes what try did.
var errCounted = errors.New("counted")

// Count returns what an erasure would delete, and changes nothing.
func (e Erasure) Count(ctx context.Context, b db.Beginner) (done Erased, err error) {
	err = try(ctx, b, func(tx pgx.Tx) error {
		done, err = e.erase(ctx, tx)
		return err
	})
	return done, err
}

// try does something in a transaction and undoes it.
func try(ctx context.Context, b db.Beginner, do func(tx pgx.Tx) error) error {
	err := db.InTx(ctx, b, func(tx pgx.Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		return errCounted
	})
	if errors.Is(err, errCounted) {
		return nil
	}
	return err
}

// Run deletes the number or id and the contents of messages to a recipient, what the
// recipient wrote, and one-time passwords, under each identity that is known to be theirs. The entries stay without them, so that
// counts stay true. Do-not-contact lists keep the number, because they protect it.
// The audit records the last digits only.
func (e Erasure) Run(ctx context.Context, b db.Beginner) (done Erased, err error) {
	if strings.TrimSpace(e.Reason) == "" {
		return done, fault.InvalidFields(fault.Field{Name: "reason", Message: "Give the reason of the erasure, for the audit."})
	}
	err = db.InTx(ctx, b, func(tx pgx.Tx) error {
		if done, err = e.erase(ctx, tx); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: e.Actor, Action: "recipient.erase", Target: "recipient:" + masked(e.Recipient), Details: map[string]any{
			"organisation": e.OrganisationID, "reason": e.Reason, "messages": done.Messages, "received": done.Received, "waiting": done.Waiting,
		}})
	})
	return done, err
}

func (e Erasure) erase(ctx context.Context, tx pgx.Tx) (done Erased, err error) {
	number, err := digits(e.Recipient)
	if err != nil {
		return done, err
	}
	ended, waiting, err := queries.RecipientMessages(ctx, tx, e.OrganisationID, number)
	if err != nil {
		return done, fmt.Errorf("finding messages: %w", err)
	}
	if err := writes.RecipientErase(ctx, tx, ended); err != nil {
		return done, fmt.Errorf("erasing %d messages: %w", len(ended), err)
	}
	received, err := writes.RecipientDelete(ctx, tx, e.OrganisationID, number)
	if err != nil {
		return done, fmt.Errorf("deleting received messages: %w", err)
	}
	return Erased{len(ended), received, waiting}, nil
}

// digits returns a number as messages have it, digits with country code, or a user id.
func digits(number string) (string, error) {
	if id := strings.TrimSpace(number); phone.IsUserID(id) {
		return id, nil
	}
	bare := strings.NewReplacer(" ", "", "-", "", "+", "").Replace(number)
	if len(bare) < 5 || len(bare) > 20 || strings.Trim(bare, "0123456789") != "" {
		return "", fault.InvalidFields(fault.Field{Name: "recipient", Message: "Enter the number with its country code, such as +919812345678, or a user id as callbacks have it."})
	}
	return bare, nil
}

// masked returns the last digits of a number.
func masked(number string) string {
	return "…" + number[max(0, len(number)-3):]
}
