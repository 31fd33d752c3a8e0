package upstream

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// mostUnpaid bounds the orders that are asked about.
const mostUnpaid = 200

// Sync reads what upstreams have of the numbers and catalogues that live there. It
// pushes what was there before an asset was attached, and what still waits. One that
// cannot be read stops none of the others.
func (u *Assets) Sync(ctx context.Context, run args.Run) error {
	if run.Inserter == nil {
		return errNoInserter
	}
	failures := []error{forEach(ctx, u.deps, func(name string) error { return u.sync(ctx, run.Inserter, name) })}
	todo, err := queries.UpstreamAssetTodo(ctx, u.deps.Pool)
	if err != nil {
		return errors.Join(append(failures, fmt.Errorf("listing what waits for upstreams: %w", err))...)
	}
	for _, a := range todo {
		err := db.InTx(ctx, u.deps.Pool, func(tx pgx.Tx) error {
			_, err := run.Inserter.InsertTx(ctx, tx, args.PushAsset{Asset: a.Kind, AssetID: a.AssetID}, nil)
			return err
		})
		if err != nil {
			failures = append(failures, fmt.Errorf("inserting the job of %s %d: %w", a.Kind, a.AssetID, err))
		}
	}
	return errors.Join(failures...)
}

func (u *Assets) sync(ctx context.Context, jobs args.Inserter, name string) error {
	carrier, c, err := openStored(ctx, u.deps, name)
	if err != nil {
		return err
	}
	numbers, theirNumbers, err := assetIDs(c, "numbers")
	if err != nil {
		return err
	}
	catalogues, theirCatalogues, err := assetIDs(c, "catalogues")
	if err != nil {
		return err
	}
	if err := writes.UpstreamAssetSeed(ctx, u.deps.Pool, numbers, catalogues); err != nil {
		return fmt.Errorf("noting what the assets of carrier %s have: %w", c.Name, err)
	}
	var failures []error
	for ours, theirs := range theirNumbers {
		number, err := queries.PhoneNumberGet(ctx, u.deps.Pool, ours)
		if db.IsNoRows(err) || err == nil && number.Sandbox {
			continue
		}
		if err == nil {
			err = u.syncNumber(ctx, theirAsset{carrier, theirs}, ours)
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("reading number %s at carrier %s: %w", theirs, c.Name, err))
		}
	}
	for ours, theirs := range theirCatalogues {
		batches, err := queries.UpstreamAssetBatches(ctx, u.deps.Pool, ours)
		failures = append(failures, err)
		for _, batch := range batches {
			failures = append(failures, endBatch(ctx, u.deps, theirAsset{carrier, theirs}, ours, batch))
		}
	}
	return errors.Join(append(failures, u.syncPayments(ctx, jobs, carrier, numbers, theirNumbers))...)
}

// syncNumber reads the profile, the key and the QR codes of a number.
func (u *Assets) syncNumber(ctx context.Context, there theirAsset, ours int64) error {
	p, err := there.carrier.Assets.Profile(ctx, there.id)
	if err != nil {
		return err
	}
	seen := models.BusinessProfile{About: p.About, Address: p.Address, Description: p.Description, Email: p.Email, Vertical: p.Vertical, Websites: p.Websites}
	if err := assets.ObserveProfile(ctx, u.deps.Pool, ours, seen); err != nil {
		return err
	}
	if err := u.syncKey(ctx, there, ours); err != nil {
		return err
	}
	known, err := queries.UpstreamAssetListOf(ctx, u.deps.Pool, ours)
	if err != nil || len(known) == 0 {
		return err
	}
	messages := map[string]string{}
	if err := there.carrier.Assets.ListCodes(ctx, there.id, func(c outbound.GraphCode) { messages[c.Code] = c.Message }); err != nil {
		return err
	}
	for _, k := range known {
		message, found := messages[k.UpstreamID]
		switch {
		case k.Waits() || k.UpstreamID == "":
		case found:
			err = assets.ObserveQRCode(ctx, u.deps.Pool, ours, k.Item, message)
		case k.Error == "":
			k.Error = "The upstream does not have the code any more."
			err = writes.UpstreamAssetUpdate(ctx, u.deps.Pool, k)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// syncKey reads which key a number has. Another one than ours is a mismatch.
func (u *Assets) syncKey(ctx context.Context, there theirAsset, ours int64) error {
	known, err := queries.UpstreamAssetGet(ctx, u.deps.Pool, registry.EncryptionKey, ours, "")
	if db.IsNoRows(err) || err == nil && known.Waits() {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking the key of %d up: %w", ours, err)
	}
	key, state, err := there.carrier.Assets.EncryptionKey(ctx, there.id)
	if err != nil {
		return err
	}
	own, err := queries.EncryptionKeyGet(ctx, u.deps.Pool, ours)
	if err != nil {
		return fmt.Errorf("reading the key of %d: %w", ours, err)
	}
	if key != strings.TrimSpace(own.PublicKey) {
		state = "MISMATCH"
	}
	if known.State = state; state == "MISMATCH" && known.Error == "" {
		known.Error = "The upstream has another key."
	} else if state == "VALID" {
		known.Error = ""
	}
	return writes.UpstreamAssetUpdate(ctx, u.deps.Pool, known)
}

// syncPayments reads the payments of orders that nobody has paid as far as is known here.
func (u *Assets) syncPayments(ctx context.Context, jobs args.Inserter, carrier *outbound.Graph, numbers []int64, theirs map[int64]string) error {
	orders, err := queries.OrderListUnpaid(ctx, u.deps.Pool, numbers, mostUnpaid)
	if err != nil {
		return fmt.Errorf("listing the orders to pay: %w", err)
	}
	o := messaging.PaymentObserver{DB: u.deps.Pool, Jobs: jobs}
	var failures []error
	for _, order := range orders {
		p, err := carrier.Assets.Payment(ctx, theirs[order.PhoneNumberID], order.Configuration, order.Reference)
		var refusal *outbound.CarrierError
		if errors.As(err, &refusal) && !refusal.Temporary {
			continue // the upstream does not know the order
		}
		if err != nil {
			return errors.Join(append(failures, fmt.Errorf("reading the payment of an order: %w", err))...)
		}
		_, err = o.Observe(ctx, messaging.PaymentStep{MessageID: order.MessageID, Status: p.Status, At: p.At, TransactionID: p.Transaction})
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}
