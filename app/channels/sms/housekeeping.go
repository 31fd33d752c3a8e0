package sms

import (
	"context"
	"time"

	"heliograph/app/operation/retention"
	"heliograph/db"
	"heliograph/db/queries/channels/writes"
)

// keepReferences is how long a cust_ref cannot be used again.
const keepReferences = 24 * time.Hour

// Housekeeping lists the tasks that delete what the channel no longer needs.
func Housekeeping(q db.Querier) []retention.Task {
	return []retention.Task{
		{What: "deleting references of SMS", Do: func(ctx context.Context) error { return writes.SMSReferenceDelete(ctx, q, keepReferences) }},
		{What: "deleting one-time passwords of SMS", Do: func(ctx context.Context) error { return writes.SMSOTPDelete(ctx, q) }},
	}
}
