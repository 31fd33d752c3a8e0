package card

import (
	"bytes"
	"context"
	"io"
	"time"

	"heliograph/app/fault"
	"heliograph/storage"
)

const (
	contentType = "image/png"
	maxPicture  = 1 << 20 // bytes, several times the largest one that was seen

	parallel = 2               // pictures that a process draws at once
	patience = 3 * time.Second // how long a request waits for its turn

	keepFor = 30 * 24 * time.Hour // after the drawing
)

// Cards draws pictures and keeps them in the file storage. Use New. It is safe for
// concurrent use.
type Cards struct {
	store storage.Store
	turns chan struct{}
}

// New returns the pictures that a storage keeps.
func New(store storage.Store) *Cards {
	return &Cards{store: store, turns: make(chan struct{}, parallel)}
}

// Picture returns the picture of a card as PNG, from the storage if it has it.
// Storage that does not answer and too many drawings at once are Unavailable.
func (s *Cards) Picture(ctx context.Context, c Card) ([]byte, error) {
	picture, err := s.kept(ctx, c)
	if !fault.Is(err, fault.NotFound) {
		return picture, err
	}
	turn, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-turn.Done():
		return nil, fault.New(fault.Unavailable, "Too many pictures are being drawn. Try again shortly.")
	}
	// Another request may have drawn it meanwhile.
	if picture, err = s.kept(ctx, c); !fault.Is(err, fault.NotFound) {
		return picture, err
	}
	if picture, err = drawPicture(c); err != nil {
		return nil, err
	}
	_, err = s.store.Put(ctx, storage.CardKey(c.Hash()), bytes.NewReader(picture), storage.PutOptions{
		ContentType: contentType, Size: int64(len(picture)), Limit: maxPicture,
	})
	return picture, err
}

func (s *Cards) kept(ctx context.Context, c Card) ([]byte, error) {
	object, _, err := s.store.Get(ctx, storage.CardKey(c.Hash()), storage.Range{})
	if err != nil {
		return nil, err
	}
	defer object.Close()
	return io.ReadAll(io.LimitReader(object, maxPicture))
}

// Sweep deletes pictures that were drawn a month before now.
func Sweep(ctx context.Context, store storage.Store, now time.Time) error {
	for o, err := range store.List(ctx, storage.CardKey("").String()) {
		if err != nil {
			return err
		}
		if now.Sub(o.Modified) < keepFor {
			continue
		}
		if err := store.Delete(ctx, o.Key); err != nil {
			return err
		}
	}
	return nil
}
