package retention

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/app/operation/setting"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

// Loss counts the values of one kind that no key opens.
type Loss struct {
	Count  int
	What   string
	Remedy string // what to do after they were replaced
}

// lost says what takes the place of a value that no key opens, and who has to do
// something about it. Values without a replacement are removed.
type lost struct {
	what, remedy string
	replacement  func() string
}

// lostBatch is how many values are read at once.
const lostBatch = 200

var noHeaders = func() string { return "{}" }

// losses has every sealed column by table and column.
var losses = map[string]lost{
	"carriers.secret":                       {"secrets of carriers", "Set them again with heliograph carrier set or at /admin/carriers.", nil},
	"encryption_keys.private_key":           {"key pairs of phone numbers", "Owners generate new ones through the Messaging API.", nil},
	"notifications.body":                    {"texts of emails and codes", "Those that waited are cancelled. Send invitations and links again.", nil},
	"notifications.html":                    {"HTML versions of emails", "Nothing else.", nil},
	"phone_numbers.webhook_secret":          {"signing secrets of phone numbers", "Owners copy the new secret from their page of the number.", keyring.NewWebhookSecret},
	"phone_numbers.previous_webhook_secret": {"retired signing secrets", "Nothing.", nil},
	"setting_secrets.sealed":                {"keys and passwords of SMS, email and enquiries", "Enter them again at /admin/sms-settings, /admin/email-settings and /admin/contacts/settings.", nil},
	"webhook_range_requests.content":        {"requests that webhook ranges took", "Nothing.", nil},
	"webhook_ranges.token":                  {"addresses of webhook ranges", "Users open a new address on their page of the range.", nil},
	"webhooks.headers":                      {"headers of webhooks", "Owners enter their own headers again.", noHeaders},
	"webhooks.secret":                       {"signing secrets of webhooks", "Owners copy the new secret from the page of the webhook.", keyring.NewWebhookSecret},
	"webhooks.previous_secret":              {"retired signing secrets of webhooks", "Nothing.", nil},
}

// LostKey is the end of an encryption key that nobody has any more.
type LostKey struct {
	Keys   *keyring.Keyring // the keys that are left, or a new one
	Actor  string
	Reason string // for the audit
}

// Count returns what no key opens, and changes nothing.
func (l LostKey) Count(ctx context.Context, b db.Beginner) (found []Loss, err error) {
	err = try(ctx, b, func(tx pgx.Tx) error {
		found, err = l.replace(ctx, tx)
		return err
	})
	return found, err
}

// Replace removes what no key opens, or puts a new value in its place, and forgets
// the keys that were lost, so that processes start with the keys of l. It returns
// what it replaced.
func (l LostKey) Replace(ctx context.Context, b db.Beginner) (found []Loss, err error) {
	if strings.TrimSpace(l.Reason) == "" {
		return nil, fault.InvalidFields(fault.Field{Name: "reason", Message: "Give the reason, for the audit."})
	}
	err = db.InTx(ctx, b, func(tx pgx.Tx) error {
		if found, err = l.replace(ctx, tx); err != nil {
			return err
		}
		if err := l.forget(ctx, tx); err != nil {
			return err
		}
		counts := map[string]any{"reason": l.Reason}
		for _, loss := range found {
			counts[loss.What] = loss.Count
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: l.Actor, Action: "key.lost", Target: "encryption keys", Details: counts})
	})
	return found, err
}

func (l LostKey) replace(ctx context.Context, tx pgx.Tx) (found []Loss, err error) {
	for _, c := range queries.SealedColumns {
		kind, known := losses[c.Table+"."+c.Column]
		if !known {
			return nil, fmt.Errorf("no replacement is known for %s of %s", c.Column, c.Table)
		}
		n, err := l.replaceColumn(ctx, tx, c, kind.replacement)
		if err != nil {
			return nil, fmt.Errorf("replacing the sealed values of %s: %w", c.Table, err)
		}
		if n > 0 {
			found = append(found, Loss{Count: n, What: kind.what, Remedy: kind.remedy})
		}
	}
	return found, nil
}

func (l LostKey) replaceColumn(ctx context.Context, tx pgx.Tx, c models.SealedColumn, replacement func() string) (n int, err error) {
	made := map[string]string{} // for rows that share a value
	for after := ""; ; {
		values, err := queries.SealedList(ctx, tx, c, queries.SealedPage{First: "none", After: after, Limit: lostBatch})
		if err != nil {
			return n, err
		}
		for _, v := range values {
			after = v.Row
			place := keyring.Place(c.Table, c.Column, v.Row)
			if _, err := l.Keys.Open(v.Sealed, place); err == nil {
				continue
			}
			if replacement == nil {
				err = writes.SealedDelete(ctx, tx, c, v)
			} else {
				if made[v.Shared] == "" {
					made[v.Shared] = replacement()
				}
				err = writes.SealedUpdate(ctx, tx, c, v, l.Keys.Seal([]byte(made[v.Shared]), place))
			}
			if err != nil {
				return n, err
			}
			n++
		}
		if len(values) < lostBatch {
			return n, nil
		}
	}
}

// forget deletes the check values of keys that were lost.
func (l LostKey) forget(ctx context.Context, tx pgx.Tx) error {
	checks, err := queries.KeyCheckList(ctx, tx)
	if err != nil {
		return fmt.Errorf("reading the check values of keys: %w", err)
	}
	var gone []string
	for _, c := range checks {
		if _, err := l.Keys.Open(c.Sealed, keyring.Place("key_checks", "sealed", c.KeyID)); err != nil {
			gone = append(gone, c.KeyID)
		}
	}
	if err := writes.KeyCheckDelete(ctx, tx, gone); err != nil {
		return fmt.Errorf("deleting the check values of keys: %w", err)
	}
	return setting.CheckKeys(ctx, tx, l.Keys)
}
