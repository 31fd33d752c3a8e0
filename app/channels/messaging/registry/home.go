package registry

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// The kinds of what lives at an upstream beside templates. Products are items of a
// catalogue, all others of a number.
const (
	Profile       = "profile"
	EncryptionKey = "encryption_key"
	QRCode        = "qr_code"
	Product       = "product"
)

// assetSettings name the setting of a carrier that names the assets of a kind.
var assetSettings = map[string]string{Profile: "numbers", EncryptionKey: "numbers", QRCode: "numbers", Product: "catalogues"}

// Home returns the carrier that a number or a catalogue lives at, and its id there.
// The carrier has no name if there is none.
func Home(ctx context.Context, q db.Querier, kind string, assetID int64) (carrier models.Carrier, theirs string, err error) {
	return HomeIn(ctx, q, assetSettings[kind], assetID)
}

// HomeIn returns the carrier that names an id of ours in a setting, and the id there. The
// carrier has no name if there is none.
func HomeIn(ctx context.Context, q db.Querier, setting string, id int64) (carrier models.Carrier, theirs string, err error) {
	carriers, err := queries.CarrierList(ctx, q)
	if err != nil {
		return carrier, "", fmt.Errorf("listing the carriers: %w", err)
	}
	for _, c := range carriers {
		if c.Kind != pipeline.KindGraph || c.DisabledAt != nil {
			continue
		}
		ids, err := models.GraphIDs(c.Settings, setting)
		if err != nil {
			slog.WarnContext(ctx, "the settings of a carrier cannot be read", "carrier", c.Name, "error", err)
			continue
		}
		if theirs := ids[strconv.FormatInt(id, 10)]; theirs != "" {
			return c, theirs, nil
		}
	}
	return models.Carrier{}, "", nil
}

// Change notes that something of a number or a catalogue was changed, if it lives at
// an upstream. A job brings the change there.
func Change(ctx context.Context, tx pgx.Tx, jobs args.Inserter, kind string, assetID int64, items ...string) error {
	home, _, err := Home(ctx, tx, kind, assetID)
	if err != nil || home.Name == "" || len(items) == 0 {
		return err
	}
	if err := writes.UpstreamAssetHold(ctx, tx, assetID); err != nil {
		return fmt.Errorf("holding %s %d: %w", kind, assetID, err)
	}
	noted, err := writes.UpstreamAssetChange(ctx, tx, kind, assetID, items)
	if err != nil {
		return fmt.Errorf("noting a change of %s %d: %w", kind, assetID, err)
	}
	if !noted {
		return nil
	}
	if _, err := jobs.InsertTx(ctx, tx, args.PushAsset{Asset: kind, AssetID: assetID}, nil); err != nil {
		return fmt.Errorf("inserting the job of %s %d: %w", kind, assetID, err)
	}
	return nil
}
