// Package blocklist knows the numbers and user ids that must not be contacted: those that
// organisations and the operator list, and recipients who have written STOP.
package blocklist

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Reason is the reason why a recipient must not be contacted.
type Reason string

// The reasons. A recipient who has written STOP still gets the one-time passwords
// that he asks for; a number on a list gets nothing.
const (
	Stopped  Reason = "stop"     // by the recipient, for one organisation
	Listed   Reason = "list"     // by the organisation
	Barred   Reason = "everyone" // by the operator, for every organisation
	Removed  Reason = "removed"  // not the recipient: the sender is gone
	Everyone int64  = 0          // the organisation of the operator's list
)

// Owner is the owner of a list, and the user who changes it.
type Owner struct {
	OrganisationID int64 // Everyone for the operator's list
	Actor          string
}

func (o Owner) entry(action string, details map[string]any) audit.Entry {
	target := "organisation:" + fmt.Sprint(o.OrganisationID)
	if o.OrganisationID == Everyone {
		target = "organisations"
	}
	return audit.Entry{Actor: o.Actor, Action: action, Target: target, Details: details}
}

// channelNames are the channels that an entry can hold for.
var channelNames = []string{"", "messaging", "sms", "rcs"}

// NewEntry returns the entry of a number or a user id as a user enters it. Its error names the fields.
func NewEntry(number, channel, note string) (s models.Suppression, err error) {
	var faults fault.Fields
	recipient, isID := strings.TrimSpace(number), phone.IsUserID(strings.TrimSpace(number))
	if to, ok := phone.NewRecipient(recipient, 0); ok {
		recipient = to.Digits
	} else if !isID {
		faults.Add("recipient", "Enter a number with its country code, such as +919812345678, or a user id of the messaging channel.")
	}
	channel = strings.ToLower(strings.TrimSpace(channel))
	if known := strings.Join(channelNames, " "); !strings.Contains(" "+known+" ", " "+channel+" ") {
		faults.Add("channel", "Choose messaging, sms or rcs, or nothing for every channel.")
	}
	faults.AddIf(isID && channel != "" && channel != "messaging", "channel", "User ids are known on the messaging channel alone: choose it, or every channel.")
	note = strings.TrimSpace(note)
	faults.AddIf(len(note) > maxNote, "note", fmt.Sprintf("Use at most %d characters.", maxNote))
	if err := faults.Err(); err != nil {
		return s, err
	}
	return models.Suppression{Recipient: recipient, Channel: channel, Note: note, Reason: string(Listed)}, nil
}

const maxNote = 200 // bytes

// Add puts numbers on a list and returns how many are new.
func Add(ctx context.Context, b db.Beginner, o Owner, rows []models.Suppression) (added int, err error) {
	for i := range rows {
		rows[i].OrganisationID, rows[i].Actor = o.OrganisationID, o.Actor
	}
	err = db.InTx(ctx, b, func(tx pgx.Tx) error {
		if added, err = writes.SuppressionUpsertMany(ctx, tx, rows); err != nil {
			return fmt.Errorf("storing %d suppressions: %w", len(rows), err)
		}
		return audit.Record(ctx, tx, o.entry("suppression.add", map[string]any{"numbers": len(rows), "added": added}))
	})
	return added, err
}

// Remove takes a number off a list. An unknown one is NotFound.
func Remove(ctx context.Context, b db.Beginner, o Owner, recipient, channel string) error {
	row := models.Suppression{OrganisationID: o.OrganisationID, Recipient: recipient, Channel: channel}
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		existed, err := writes.SuppressionDelete(ctx, tx, row)
		if err != nil {
			return fmt.Errorf("deleting a suppression: %w", err)
		}
		if !existed {
			return fault.New(fault.NotFound, "The number is not on the list.")
		}
		return audit.Record(ctx, tx, o.entry("suppression.remove", map[string]any{"channel": channel}))
	})
}

// Find returns the reasons why numbers must not be contacted by an organisation on
// a channel. Numbers that may be contacted are left out.
func Find(ctx context.Context, q db.Querier, organisationID int64, channel string, recipients ...string) (map[string]Reason, error) {
	rows, err := queries.SuppressionListOf(ctx, q, organisationID, channel, recipients)
	if err != nil {
		return nil, fmt.Errorf("looking %d numbers up in the lists: %w", len(recipients), err)
	}
	found := map[string]Reason{}
	for _, row := range rows {
		reason := Reason(row.Reason)
		if row.OrganisationID == Everyone {
			reason = Barred
		}
		found[row.Recipient] = cmp.Or(found[row.Recipient], reason)
	}
	return found, nil
}

// The words with which recipients stop and start the messages of an organisation.
var (
	stopWords  = map[string]bool{"STOP": true, "STOPALL": true, "UNSUBSCRIBE": true, "QUIT": true, "OPTOUT": true}
	startWords = map[string]bool{"START": true, "UNSTOP": true, "SUBSCRIBE": true, "OPTIN": true}
)

// normaliseWord returns a text in capitals without spaces and punctuation; empty
// if it is too long for a word.
func normaliseWord(text string) string {
	const longest = 40 // bytes
	if len(text) > longest {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPunct(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, text)
}

// IsStopWord reports whether a text stops or starts messages.
func IsStopWord(text string) bool {
	word := normaliseWord(text)
	return stopWords[word] || startWords[word]
}

// Inbound is a text that a recipient has written to an organisation.
type Inbound struct {
	OrganisationID int64
	Channel        string
	From           string // digits, or a user id
	Text           string
}

// ObeyStop puts the sender of a text that is a stop word on the list of the
// organisation, for the channel, and takes the sender of a start word off it. Case,
// spaces and punctuation do not matter.
func ObeyStop(ctx context.Context, tx pgx.Tx, in Inbound) error {
	word := normaliseWord(in.Text)
	row := models.Suppression{OrganisationID: in.OrganisationID, Recipient: in.From, Channel: in.Channel, Reason: string(Stopped), Note: "The recipient wrote " + word + ".", Actor: "recipient"}
	owner, action := Owner{in.OrganisationID, row.Actor}, ""
	switch {
	case stopWords[word]:
		added, err := writes.SuppressionUpsertMany(ctx, tx, []models.Suppression{row})
		if err != nil {
			return fmt.Errorf("storing the wish of a recipient: %w", err)
		}
		if added > 0 {
			action = "suppression.stop"
		}
	case startWords[word]:
		existed, err := writes.SuppressionDeleteStop(ctx, tx, row)
		if err != nil {
			return fmt.Errorf("deleting the wish of a recipient: %w", err)
		}
		if existed {
			action = "suppression.start"
		}
	}
	if action == "" {
		return nil
	}
	return audit.RecordSoon(ctx, tx, owner.entry(action, map[string]any{"channel": in.Channel}))
}
