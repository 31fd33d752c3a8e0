package importing

import (
	"context"
	"time"

	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/storage"
)

// keepBytes is how long the bytes of an import are kept that came to nothing.
const keepBytes = 30 * 24 * time.Hour

// Sweep deletes the bytes of imports that came to nothing long ago. Their rows stay.
func (s *Service) Sweep(ctx context.Context) error {
	list, err := queries.ImportListOld(ctx, s.DB, s.Clock().Add(-keepBytes))
	if err != nil {
		return err
	}
	for _, i := range list {
		for _, name := range []string{i.Object, i.Converted} {
			key, err := storage.ParseKey(name)
			if err != nil {
				continue // there is none
			}
			if err := s.Store.Delete(ctx, key); err != nil {
				return err
			}
		}
		if err := writes.ImportUpdateSwept(ctx, s.DB, i.ID); err != nil {
			return err
		}
	}
	return nil
}
