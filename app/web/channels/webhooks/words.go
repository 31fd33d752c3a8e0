package webhooks

import (
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
)

// The addresses and words of an account, under the names that the pages of this package
// use.
const (
	botsPath       = page.AccountBotsPath
	deliveriesPath = page.AccountDeliveriesPath
	smsPath        = page.AccountSMSPath
	webhooksPath   = page.AccountWebhooksPath
)

type faults = listing.Faults

var (
	clock      = listing.Clock
	frame      = page.AccountFrame
	mayDevelop = page.MayDevelop
	pairs      = listing.Pairs
)
