// Package callback holds the body of the callbacks to partners.
package callback

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// Body is the body that is posted to partners' webhooks.
type Body struct {
	Object string  `json:"object"`
	Entry  []entry `json:"entry"`
}

// entry holds the changes of one business account.
type entry struct {
	ID      string   `json:"id"`
	Time    int64    `json:"time,omitempty"` // Unix seconds
	Changes []change `json:"changes"`
}

// change is one change. Field is its kind, such as "messages".
type change struct {
	Field string `json:"field"`
	Value any    `json:"value"`
}

// New returns a callback with one change of an account. product is the
// channel word that the partner uses.
func New(product string, accountID int64, field string, value any) Body {
	return Body{
		Object: product + "_business_account",
		Entry:  []entry{{ID: strconv.FormatInt(accountID, 10), Changes: []change{{Field: field, Value: value}}}},
	}
}

// RelayToAccount relays a callback to the webhooks of all numbers of a business
// account.
func RelayToAccount(ctx context.Context, tx pgx.Tx, jobs args.Inserter, accountID int64, e relay.Event) error {
	webhooks, err := queries.WebhookListOfAccount(ctx, tx, accountID)
	if err != nil {
		return fmt.Errorf("listing the webhooks of account %d: %w", accountID, err)
	}
	events := make([]relay.Event, len(webhooks))
	for i, w := range webhooks {
		events[i] = e
		events[i].WebhookID, events[i].Failing = w.ID, w.Failures > 0
	}
	_, err = relay.Store(ctx, tx, jobs, events...)
	return err
}
