package webhooks

import (
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
)

// The addresses and words of an account, under the names that the pages of this package
// use.
const (
	botsPath        = page.AccountBotsPath
	deliveriesPath  = page.AccountDeliveriesPath
	keysPath        = page.AccountKeysPath
	messagesPath    = page.AccountMessagesPath
	refusedPath     = page.AccountRefusedPath
	smsPath         = page.AccountSMSPath
	suppressionPath = page.AccountSuppressionsPath
	usagePath       = page.AccountUsagePath
	webhooksPath    = page.AccountWebhooksPath
)

type faults = listing.Faults

var (
	called     = page.Called
	clock      = listing.Clock
	frame      = page.AccountFrame
	looked     = listing.Looked
	mayDevelop = page.MayDevelop
	notFound   = page.NotFound
	pairs      = listing.Pairs
)
