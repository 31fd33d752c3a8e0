package account

import (
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
)

// The addresses and words of an account, under the names that the pages of this package
// use.
const (
	assetsPath      = page.AccountAssetsPath
	botsPath        = page.AccountBotsPath
	deliveriesPath  = page.AccountDeliveriesPath
	keysPath        = page.AccountKeysPath
	messagesPath    = page.AccountMessagesPath
	profilePath     = page.AccountProfilePath
	refusedPath     = page.AccountRefusedPath
	smsPath         = page.AccountSMSPath
	suppressionPath = page.AccountSuppressionsPath
	teamPath        = page.AccountTeamPath
	usagePath       = page.AccountUsagePath
	webhooksPath    = page.AccountWebhooksPath
)

type faults = listing.Faults

var (
	called     = page.Called
	clock      = listing.Clock
	comma      = listing.Comma
	frame      = page.AccountFrame
	looked     = listing.Looked
	mayDevelop = page.MayDevelop
	moment     = listing.Time
	notFound   = page.NotFound
	pairs      = listing.Pairs
	when       = listing.Minute
	wrong      = page.Wrong
)
