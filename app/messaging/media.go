package messaging

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/storage"
)

const (
	mediaLife = 30 * 24 * time.Hour // of uploaded media

	// LinkLife is how long the address of a file works.
	LinkLife = 5 * time.Minute
)

// Media returns the media with the id if it is the organisation's and its time
// is not over; everything else is NotFound.
func (s *Service) Media(ctx context.Context, organisationID int64, id string) (models.Media, error) {
	n, ok := parseAssetID(id)
	if !ok {
		return models.Media{}, missing(id)
	}
	media, err := queries.MediaGet(ctx, s.pool, organisationID, n)
	if db.IsNoRows(err) {
		return media, missing(id)
	}
	if err != nil {
		return media, fmt.Errorf("looking media up: %w", err)
	}
	return media, nil
}

// MediaOfNumber is Media for a caller who may say which phone number the media
// belongs to; another one is Forbidden. An empty number says nothing.
func (s *Service) MediaOfNumber(ctx context.Context, organisationID int64, id, phoneNumberID string) (models.Media, error) {
	media, err := s.Media(ctx, organisationID, id)
	if err != nil || phoneNumberID == "" {
		return media, err
	}
	number, ok := parseAssetID(phoneNumberID)
	switch {
	case !ok:
		return media, reject(codeInvalid, "phone_number_id", "give phone_number_id as 15 or 16 digits")
	case number != media.PhoneNumberID:
		return media, reject(codePermission, "phone_number_id", "give the phone_number_id that the media was uploaded to, or leave it out")
	}
	return media, nil
}

// OpenMedia opens the bytes of media; the caller closes the file. ctx bounds
// every read.
func (s *Service) OpenMedia(ctx context.Context, media models.Media) (*storage.File, error) {
	key, err := storage.ParseKey(media.Object)
	if err != nil {
		return nil, fmt.Errorf("reading the key of media %d: %w", media.ID, err)
	}
	return storage.Open(ctx, s.store, key)
}

// DeleteMedia deletes media with its bytes; media that is gone already is
// NotFound.
func (s *Service) DeleteMedia(ctx context.Context, media models.Media) error {
	deleted, err := queries.MediaDelete(ctx, s.pool, media.OrganisationID, media.ID)
	if err != nil {
		return fmt.Errorf("deleting media: %w", err)
	}
	if !deleted {
		return missing(strconv.FormatInt(media.ID, 10))
	}
	s.discard(ctx, media.Object)
	return nil
}

// MediaQuery is the query of an address that gives the bytes of media to its
// organisation until expires, in whole seconds.
func (s *Service) MediaQuery(media models.Media, expires time.Time) string {
	id, ext := strconv.FormatInt(media.ID, 10), strconv.FormatInt(expires.Unix(), 10)
	return "mid=" + id + "&ext=" + ext + "&hash=" + s.sign("media", id, ext, media.OrganisationID)
}

// LinkedMedia returns the media that the query of an address names. An address
// that was changed, is over or belongs to somebody else is NotFound.
func (s *Service) LinkedMedia(ctx context.Context, organisationID int64, mid, ext, hash string) (models.Media, error) {
	for _, part := range []struct{ name, value string }{{"mid", mid}, {"ext", ext}, {"hash", hash}} {
		if part.value == "" {
			f := fault.As(reject(codeInvalid, part.name, "use the url of the media information with mid, ext and hash as it is"))
			f.Message = "Missing required parameter " + part.name
			return models.Media{}, f
		}
	}
	expires, err := strconv.ParseInt(ext, 10, 64)
	if !hmac.Equal([]byte(hash), []byte(s.sign("media", mid, ext, organisationID))) || err != nil || time.Now().Unix() >= expires {
		f := fault.As(missing(mid))
		f.Fields = []fault.Field{{Name: "hash", Message: "the address has expired or was changed: get the media information again for a new one"}}
		return models.Media{}, f
	}
	return s.Media(ctx, organisationID, mid)
}

// sign binds what an address names to its purpose and its organisation.
func (s *Service) sign(purpose, name, detail string, organisationID int64) string {
	return base64.RawURLEncoding.EncodeToString(keyring.MAC(s.links, purpose, name, detail, strconv.FormatInt(organisationID, 10)))
}

// addMedia makes received bytes media of a number.
func addMedia(ctx context.Context, tx pgx.Tx, media models.Media) (int64, error) {
	if err := keep(ctx, tx, media.Object); err != nil {
		return 0, err
	}
	id, err := register(ctx, tx, "media", media.OrganisationID)
	if err != nil {
		return 0, err
	}
	media.ID = id
	if err := queries.MediaInsert(ctx, tx, media); err != nil {
		return 0, fmt.Errorf("adding media: %w", err)
	}
	return id, nil
}

const maxFileName = 120 // characters

// fileName makes the name that a partner gave a file harmless to whoever saves
// it: no folders, nothing invisible, not hidden. The end is kept, for the
// extension.
func fileName(given string) string {
	name := legible(given[strings.LastIndexAny(given, `/\`)+1:], len(given))
	name = strings.Trim(name, ". ")
	if runes := []rune(name); len(runes) > maxFileName {
		name = strings.TrimLeft(string(runes[len(runes)-maxFileName:]), ". ")
	}
	return name
}

// legible drops what cannot be printed, direction marks among it, and all
// beyond limit characters.
func legible(text string, limit int) string {
	runes := make([]rune, 0, min(len(text), limit))
	for _, r := range text {
		if len(runes) == limit {
			break
		}
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			runes = append(runes, r)
		}
	}
	return string(runes)
}
