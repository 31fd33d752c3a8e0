package messaging

import (
	"context"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// checkAssets makes sure that what a message names by id is there, is the
// organisation's and fits. Whether a foreign id exists is not said.
func (s *Service) checkAssets(ctx context.Context, number models.PhoneNumber, assets []asset) error {
	for _, a := range assets {
		kind := a.kind
		if kind != "catalogue" {
			kind = "media"
		}
		_, err := s.own(ctx, number.OrganisationID, a.id, kind)
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) {
			return reject(codeValue, a.path, "%s: %s is not a %s of yours, or has expired", a.path, a.id, a.kind)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
