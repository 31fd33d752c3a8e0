package importing

import (
	"context"
	"errors"
	"time"

	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/storage"
)

// keepBytes is how long the bytes of an import are kept that came to nothing.
const keepBytes = 30 * 24 * time.Hour

// Tend starts reading the watched addresses that are due, and deletes bytes that nobody
// needs any more. Neither waits for the other to succeed.
func (s *Service) Tend(ctx context.Context) error {
	return errors.Join(s.Watches.check(ctx), s.sweep(ctx))
}

// sweep deletes the bytes of imports that came to nothing long ago. Their rows stay.
func (s *Service) sweep(ctx context.Context) error {
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
