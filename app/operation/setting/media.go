package setting

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

const (
	mediaName = "media"
	megabyte  = 1 << 20
	// mostMegabytes is the most that a limit of the gallery can be set to, the
	// largest object of the storage.
	mostMegabytes = 1024
)

// Media returns the limits of files in the media gallery.
func (s *Settings) Media(ctx context.Context) (models.MediaSettings, error) {
	if s.media == nil {
		return s.loadMedia(ctx, s.db)
	}
	return s.media.Get(ctx, mediaName, func(ctx context.Context, _ string) (models.MediaSettings, error) { return s.loadMedia(ctx, s.db) })
}

func (s *Settings) loadMedia(ctx context.Context, q db.Querier) (models.MediaSettings, error) {
	v := models.MediaSettings{Image: 20 * megabyte, Video: 200 * megabyte, Audio: 50 * megabyte, Document: 50 * megabyte}
	return v, s.load(ctx, q, mediaName, &v, nil)
}

// MediaChange is the form of the limits of the gallery in megabytes, as it was
// entered.
type MediaChange struct{ Image, Video, Audio, Document string }

// SaveMedia validates and stores the limits of the gallery. actor is recorded in
// the audit. Invalid input names its fields.
func (s *Settings) SaveMedia(ctx context.Context, c MediaChange, actor string) error {
	return db.InTx(ctx, s.db, func(tx pgx.Tx) error {
		before, err := s.loadMedia(ctx, tx)
		if err != nil {
			return err
		}
		var f findings
		after := models.MediaSettings{
			Image: f.megabytes("image", c.Image), Video: f.megabytes("video", c.Video), Audio: f.megabytes("audio", c.Audio), Document: f.megabytes("document", c.Document),
		}
		if err := f.Err(); err != nil {
			return err
		}
		return s.save(ctx, tx, change{name: mediaName, before: before, after: after, actor: actor})
	})
}

// megabytes checks a size and returns it in bytes.
func (f *findings) megabytes(name, text string) int64 {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	f.addIf(err != nil || n < 1 || n > mostMegabytes, name, "Enter a number of megabytes from 1 to 1024.")
	return int64(n) * megabyte
}
