package upstream

import (
	"context"
	"encoding/json"
	"fmt"

	"heliograph/app/lists"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/storage"
)

// pushProfile pushes a profile, and its picture if the upstream has another one.
func (u *Assets) pushProfile(ctx context.Context, there theirAsset, a *models.UpstreamAsset) error {
	p, err := queries.BusinessProfileGet(ctx, u.deps.Pool, a.AssetID)
	if err != nil {
		return fmt.Errorf("reading the profile of %d: %w", a.AssetID, err)
	}
	change := outbound.GraphProfile{About: p.About, Address: p.Address, Description: p.Description, Email: p.Email, Vertical: p.Vertical, Websites: p.Websites}
	if p.Picture != "" && p.Picture != a.UpstreamID {
		if change.Picture, err = u.uploadPicture(ctx, there.carrier, p.Picture); err != nil {
			return err
		}
	}
	if err := there.carrier.Assets.SetProfile(ctx, there.id, change); err != nil {
		return err
	}
	a.UpstreamID = p.Picture
	return nil
}

// uploadPicture gives the picture of a name to the upstream. It returns no handle for a
// picture that was replaced meanwhile.
func (u *Assets) uploadPicture(ctx context.Context, carrier *outbound.Graph, name string) (handle string, err error) {
	picture, err := queries.ProfilePictureGet(ctx, u.deps.Pool, name)
	if err != nil {
		return "", db.Absent(err, nil, "looking picture %s up", name)
	}
	key, err := storage.ParseKey(picture.Object)
	if err != nil {
		return "", fmt.Errorf("reading the key of picture %s: %w", name, err)
	}
	file, err := storage.Open(ctx, u.deps.Store, key)
	if err != nil {
		return "", fmt.Errorf("reading picture %s: %w", name, err)
	}
	defer file.Close()
	return carrier.Assets.Upload(ctx, outbound.GraphFile{Body: file, Type: file.ContentType, Name: "profile"}, picture.Size)
}

// pushKey pushes the public key of a number and reads what the upstream says about it.
func (u *Assets) pushKey(ctx context.Context, there theirAsset, a *models.UpstreamAsset) error {
	key, err := queries.EncryptionKeyGet(ctx, u.deps.Pool, a.AssetID)
	if err != nil {
		return db.Absent(err, nil, "reading the key of %d", a.AssetID)
	}
	if err := there.carrier.Assets.SetEncryptionKey(ctx, there.id, key.PublicKey); err != nil {
		return err
	}
	_, a.State, err = there.carrier.Assets.EncryptionKey(ctx, there.id)
	return err
}

// pushCode creates, changes or deletes a QR code. It reports gone for one that was
// deleted here. A creation without an answer is looked for before it is tried again.
func (u *Assets) pushCode(ctx context.Context, there theirAsset, a *models.UpstreamAsset) (gone bool, err error) {
	ours, err := queries.QRCodeGet(ctx, u.deps.Pool, a.Item)
	if gone = db.IsNoRows(err); err != nil && !gone {
		return false, fmt.Errorf("reading QR code %s: %w", a.Item, err)
	}
	if a.UpstreamID == "" && a.Attempted {
		if a.UpstreamID, a.State, err = u.findCode(ctx, there, a.AssetID, ours.Message); err != nil {
			return gone, err
		}
	}
	if gone {
		if a.UpstreamID == "" {
			return true, nil
		}
		return true, there.carrier.Assets.DeleteCode(ctx, there.id, a.UpstreamID)
	}
	if a.UpstreamID == "" && !a.Attempted {
		a.Attempted = true
		if err := writes.UpstreamAssetUpdate(ctx, u.deps.Pool, *a); err != nil {
			return false, fmt.Errorf("storing that QR code %s is created: %w", a.Item, err)
		}
	}
	saved, err := there.carrier.Assets.SaveCode(ctx, there.id, outbound.GraphCode{Code: a.UpstreamID, Message: ours.Message})
	if err != nil {
		return false, err
	}
	a.UpstreamID, a.State, a.Attempted = saved.Code, saved.Link, false
	return false, nil
}

// findCode looks for a code with a message that no code of ours has there.
func (u *Assets) findCode(ctx context.Context, there theirAsset, numberID int64, message string) (code, link string, err error) {
	known, err := queries.UpstreamAssetListOf(ctx, u.deps.Pool, numberID)
	if err != nil {
		return "", "", fmt.Errorf("listing the QR codes of %d: %w", numberID, err)
	}
	taken := map[string]bool{}
	for _, k := range known {
		taken[k.UpstreamID] = true
	}
	err = there.carrier.Assets.ListCodes(ctx, there.id, func(c outbound.GraphCode) {
		if c.Message == message && !taken[c.Code] && code == "" {
			code, link = c.Code, c.Link
		}
	})
	return code, link, err
}

// pushProducts pushes products in one batch. Products that are gone here are deleted there.
func (u *Assets) pushProducts(ctx context.Context, there theirAsset, pending []models.UpstreamAsset) error {
	catalogue := pending[0].AssetID
	items, revisions := make([]string, len(pending)), make([]int64, len(pending))
	for i, a := range pending {
		items[i], revisions[i] = a.Item, a.Revision
	}
	products, err := queries.ProductListByRetailerID(ctx, u.deps.Pool, catalogue, items)
	if err != nil {
		return fmt.Errorf("reading the products of catalogue %d: %w", catalogue, err)
	}
	ours := lists.By(products, func(p models.Article) string { return p.RetailerID })
	changes := make([]outbound.GraphProduct, len(items))
	for i, item := range items {
		changes[i] = outbound.GraphProduct{Method: "DELETE", RetailerID: item}
		if p, ok := ours[item]; ok {
			changes[i].Method, changes[i].Data = "UPDATE", productData(p.ArticleData)
		}
	}
	batch, refused, err := there.carrier.Assets.ChangeProducts(ctx, there.id, changes)
	if err != nil {
		return err
	}
	if err := writes.UpstreamAssetTaken(ctx, u.deps.Pool, catalogue, items, revisions, batch); err != nil {
		return fmt.Errorf("storing that the upstream has products of catalogue %d: %w", catalogue, err)
	}
	if err := refuseProducts(ctx, u.deps, catalogue, refused); err != nil || batch == "" {
		return err
	}
	return endBatch(ctx, u.deps, there, catalogue, batch)
}

// endBatch reads how a batch of products ended, if it has ended.
func endBatch(ctx context.Context, deps Options, there theirAsset, catalogue int64, batch string) error {
	ended, refused, err := there.carrier.Assets.BatchErrors(ctx, there.id, batch)
	if err != nil || !ended {
		return err
	}
	if err := refuseProducts(ctx, deps, catalogue, refused); err != nil {
		return err
	}
	if err := writes.UpstreamAssetBatchEnd(ctx, deps.Pool, catalogue, batch); err != nil {
		return fmt.Errorf("storing that a batch of catalogue %d has ended: %w", catalogue, err)
	}
	return nil
}

func refuseProducts(ctx context.Context, deps Options, catalogue int64, refused map[string]string) error {
	var items, reasons []string
	for item, reason := range refused {
		items, reasons = append(items, item), append(reasons, reason)
	}
	if len(items) == 0 {
		return nil
	}
	if err := writes.UpstreamAssetRefused(ctx, deps.Pool, catalogue, items, reasons); err != nil {
		return fmt.Errorf("storing which products of catalogue %d are refused: %w", catalogue, err)
	}
	return nil
}

// productData returns the members of a product that have a value, as batches name them.
func productData(p models.ArticleData) map[string]any {
	data := map[string]any{"name": p.Name}
	for name, value := range map[string]string{
		"description": p.Description, "availability": p.Availability, "condition": p.Condition, "brand": p.Brand, "category": p.Category,
		"url": p.URL, "image_url": p.ImageURL, "retailer_product_group_id": p.GroupID, "currency": p.Currency,
	} {
		if value != "" {
			data[name] = value
		}
	}
	if p.Price != nil {
		data["price"] = *p.Price
	}
	if len(p.Shipping) > 0 {
		data["shipping"] = json.RawMessage(p.Shipping)
	}
	return data
}
