package messaging

import (
	"context"
	"strings"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// checkAssets makes sure that what a message names by id is there, is the
// sender's and fits. Whether a foreign id exists is not said.
func (s *Service) checkAssets(ctx context.Context, number models.PhoneNumber, assets []asset) error {
	for _, a := range assets {
		fits, err := s.fits(ctx, number, a)
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) || err == nil && !fits {
			return reject(codeValue, a.path, "%s: %s names no %s that this number can send", a.path, a.id, a.kind)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) fits(ctx context.Context, number models.PhoneNumber, a asset) (bool, error) {
	if a.kind == "catalogue" {
		_, err := s.own(ctx, number.OrganisationID, a.id, a.kind)
		return true, err
	}
	media, err := s.Media(ctx, number.OrganisationID, a.id)
	return media.PhoneNumberID == number.ID && carries(a.kind, media.MIMEType), err
}

// carries reports whether a file of a type can be sent as a kind. Every file
// can be sent as a document.
func carries(kind, mimeType string) bool {
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
