package messaging

import (
	"context"
	"strings"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/fault"
	"heliograph/db/models"
)

// checkAssets checks that the assets of a message exist, belong to the sender
// and have the right kind. The error is the same for an id of another
// organisation and an unknown one.
func checkAssets(ctx context.Context, s account, number models.PhoneNumber, assets []asset) error {
	for _, a := range assets {
		fits, err := s.canSend(ctx, number, a)
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) || err == nil && !fits {
			return refusal.New(refusal.Value, a.path, "%s: no %s with the id %s can be sent from this number", a.path, a.kind, a.id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Sender) canSend(ctx context.Context, number models.PhoneNumber, a asset) (bool, error) {
	if a.kind == "catalogue" {
		_, err := registry.Owned(ctx, s.pool, number.OrganisationID, a.id, a.kind)
		return true, err
	}
	media, err := s.media.Get(ctx, number.OrganisationID, a.id)
	return media.PhoneNumberID == number.ID && canCarry(a.kind, media.MIMEType), err
}

// canCarry reports whether a file of a type can be sent as a kind. Every file
// can be sent as a document.
func canCarry(kind, mimeType string) bool {
	switch kind {
	case "document":
		return true
	case "sticker":
		return mimeType == "image/webp"
	case "image":
		return mimeType == "image/jpeg" || mimeType == "image/png"
	}
	return strings.HasPrefix(mimeType, kind+"/")
}
