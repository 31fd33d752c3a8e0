package messaging

import (
	"context"
	"time"

	"heliograph/app/operation/retention"
	"heliograph/db"
	"heliograph/db/queries/channels/writes"
)

const (
	keepBatches  = 7 * 24 * time.Hour  // how long the errors of a catalogue batch can be read
	keepRemoved  = 40 * 24 * time.Hour // how long a removed number stays for its callbacks, over the life of messages
	keepUploaded = 2 * 24 * time.Hour  // how long the counts of uploads are kept
)

// Housekeeping lists the tasks that delete what the channel no longer needs.
func Housekeeping(q db.Querier) []retention.Task {
	return []retention.Task{
		{What: "deleting removed numbers and accounts", Do: func(ctx context.Context) error { return writes.AssetDeleteRemoved(ctx, q, keepRemoved) }},
		{What: "deleting catalogue batches", Do: func(ctx context.Context) error { return writes.CatalogueBatchDelete(ctx, q, keepBatches) }},
		{What: "deleting ids of received messages", Do: func(ctx context.Context) error { return writes.UpstreamMessageDelete(ctx, q, KeepUpstreamIDs) }},
		{What: "deleting ids of uploaded files", Do: func(ctx context.Context) error { return writes.UpstreamMediaDelete(ctx, q, keepUpstreamMedia) }},
		{What: "deleting posts of carriers", Do: func(ctx context.Context) error { return writes.UpstreamPostDeleteOld(ctx, q, keepUpstreamPosts) }},
		{What: "deleting counts of uploads", Do: func(ctx context.Context) error { return writes.UploadedDelete(ctx, q, keepUploaded) }},
	}
}
