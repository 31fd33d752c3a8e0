package assets

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/registry"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// settled runs a change in a transaction in which the partner cannot change the same
// thing, unless a change of the partner waits for the upstream.
func settled(ctx context.Context, b db.Beginner, a models.UpstreamAsset, change func(tx pgx.Tx) error) error {
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		now, err := writes.UpstreamAssetLock(ctx, tx, a.Kind, a.AssetID, a.Item)
		if err != nil && !db.IsNoRows(err) {
			return fmt.Errorf("reading %s %d: %w", a.Kind, a.AssetID, err)
		}
		if err == nil && now.Waits() {
			return nil
		}
		return change(tx)
	})
}

// ObserveProfile takes over the profile that an upstream has of a number. Our own picture
// stays.
func ObserveProfile(ctx context.Context, b db.Beginner, numberID int64, seen models.BusinessProfile) error {
	return settled(ctx, b, models.UpstreamAsset{Kind: registry.Profile, AssetID: numberID}, func(tx pgx.Tx) error {
		ours, err := queries.BusinessProfileGet(ctx, tx, numberID)
		if err != nil {
			return fmt.Errorf("reading the profile of %d: %w", numberID, err)
		}
		seen.About, seen.Address, seen.Description = clipLines(seen.About, 139), clipLines(seen.Address, 256), clipLines(seen.Description, 256)
		seen.Email, seen.Vertical = media.Printable(seen.Email, 128), strings.ToUpper(media.Printable(seen.Vertical, 32))
		if seen.Vertical != "" && !slices.Contains(verticals, seen.Vertical) {
			seen.Vertical = ours.Vertical // a word that is not known here
		}
		seen.Websites = slices.DeleteFunc(seen.Websites, func(site string) bool { return site == "" || len(site) > 256 })
		seen.Websites = seen.Websites[:min(len(seen.Websites), 2)]
		if seen.About == ours.About && seen.Address == ours.Address && seen.Description == ours.Description && seen.Email == ours.Email &&
			seen.Vertical == ours.Vertical && slices.Equal(seen.Websites, ours.Websites) {
			return nil
		}
		if err := writes.BusinessProfileUpsert(ctx, tx, numberID, seen); err != nil {
			return fmt.Errorf("taking the profile of %d over: %w", numberID, err)
		}
		return nil
	})
}

// clipLines returns the printable characters and line ends of a text, up to a limit.
func clipLines(text string, limit int) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = media.Printable(lines[i], limit)
	}
	runes := []rune(strings.Join(lines, "\n"))
	return string(runes[:min(len(runes), limit)])
}

// ObserveQRCode takes over the message that an upstream has for a code of a number.
func ObserveQRCode(ctx context.Context, b db.Beginner, numberID int64, code, message string) error {
	if message = clipLines(message, maxPrefilled); message == "" {
		return nil
	}
	return settled(ctx, b, models.UpstreamAsset{Kind: registry.QRCode, AssetID: numberID, Item: code}, func(tx pgx.Tx) error {
		if _, err := writes.QRCodeUpdate(ctx, tx, models.QRCode{Code: code, PhoneNumberID: numberID, Message: message}); err != nil {
			return fmt.Errorf("taking QR code %s over: %w", code, err)
		}
		return nil
	})
}

// mostChanges bounds the changes for upstreams that are listed.
const mostChanges = 100

// Changes returns the changes of an organisation, or of all for 0, that wait for an
// upstream or that one refused.
func (a *Service) Changes(ctx context.Context, organisationID int64) ([]models.ListedUpstreamAsset, error) {
	list, err := queries.UpstreamAssetProblems(ctx, a.db, organisationID, mostChanges)
	if err != nil {
		return nil, fmt.Errorf("listing the changes for upstreams: %w", err)
	}
	return list, nil
}
