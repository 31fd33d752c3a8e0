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
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/storage"
)

// Media stores the files that messages show.
type Media struct {
	once
	files
	links []byte // key that signs URLs of media and uploads
}

const (
	mediaLife = 30 * 24 * time.Hour // how long uploaded media are kept

	// LinkLife is how long the download URL of a file is valid.
	LinkLife = 5 * time.Minute
)

// Media returns the media with the id. It is NotFound if it does not belong to
// the organisation or has expired.
func (s *Media) Media(ctx context.Context, organisationID int64, id string) (models.Media, error) {
	n, ok := parseAssetID(id)
	if !ok {
		return models.Media{}, notFound(id)
	}
	media, err := queries.MediaGet(ctx, s.pool, organisationID, n)
	if db.IsNoRows(err) {
		return media, notFound(id)
	}
	if err != nil {
		return media, fmt.Errorf("looking media up: %w", err)
	}
	return media, nil
}

// MediaOfNumber is like Media and also checks the phone number of the media if
// phoneNumberID is not empty. A different number is Forbidden.
func (s *Media) MediaOfNumber(ctx context.Context, organisationID int64, id, phoneNumberID string) (models.Media, error) {
	media, err := s.Media(ctx, organisationID, id)
	if err != nil || phoneNumberID == "" {
		return media, err
	}
	number, ok := parseAssetID(phoneNumberID)
	switch {
	case !ok:
		return media, reject(codeInvalid, "phone_number_id", "phone_number_id must have 15 or 16 digits")
	case number != media.PhoneNumberID:
		return media, reject(codePermission, "phone_number_id", "use the phone_number_id that the media was uploaded to, or omit it")
	}
	return media, nil
}

// OpenMedia opens the file of media. The caller closes it. ctx applies to every
// read.
func (s *Media) OpenMedia(ctx context.Context, media models.Media) (*storage.File, error) {
	key, err := storage.ParseKey(media.Object)
	if err != nil {
		return nil, fmt.Errorf("reading the key of media %d: %w", media.ID, err)
	}
	return storage.Open(ctx, s.store, key)
}

// DeleteMedia deletes media and its file. Media that was already deleted is
// NotFound.
func (s *Media) DeleteMedia(ctx context.Context, media models.Media) error {
	deleted, err := writes.MediaDelete(ctx, s.pool, media.OrganisationID, media.ID)
	if err != nil {
		return fmt.Errorf("deleting media: %w", err)
	}
	if !deleted {
		return notFound(strconv.FormatInt(media.ID, 10))
	}
	s.discardObject(ctx, media.Object)
	return nil
}

// MediaQuery returns the query of a URL with which the organisation can
// download media until expires, truncated to seconds.
func (s *Media) MediaQuery(media models.Media, expires time.Time) string {
	id, ext := strconv.FormatInt(media.ID, 10), strconv.FormatInt(expires.Unix(), 10)
	return "mid=" + id + "&ext=" + ext + "&hash=" + s.sign("media", id, ext, media.OrganisationID)
}

// LinkedMedia returns the media that the query of a download URL identifies. A
// URL that was changed, has expired or belongs to another organisation is
// NotFound.
func (s *Media) LinkedMedia(ctx context.Context, organisationID int64, mid, ext, hash string) (models.Media, error) {
	for _, part := range []struct{ name, value string }{{"mid", mid}, {"ext", ext}, {"hash", hash}} {
		if part.value == "" {
			f := fault.As(reject(codeInvalid, part.name, "use the url from the media information unchanged, with its mid, ext and hash"))
			f.Message = "Missing required parameter " + part.name
			return models.Media{}, f
		}
	}
	expires, err := strconv.ParseInt(ext, 10, 64)
	if !hmac.Equal([]byte(hash), []byte(s.sign("media", mid, ext, organisationID))) || err != nil || time.Now().Unix() >= expires {
		f := fault.As(notFound(mid))
		f.Fields = []fault.Field{{Name: "hash", Message: "the URL has expired or was changed: get the media information again for a new URL"}}
		return models.Media{}, f
	}
	return s.Media(ctx, organisationID, mid)
}

// sign returns the signature of a URL's parameters for one purpose and
// organisation.
func (s *Media) sign(purpose, name, detail string, organisationID int64) string {
	return base64.RawURLEncoding.EncodeToString(keyring.MAC(s.links, purpose, name, detail, strconv.FormatInt(organisationID, 10)))
}

// addMedia registers a stored file as media of a number.
func addMedia(ctx context.Context, tx pgx.Tx, media models.Media) (int64, error) {
	if err := errands.DiscardKeep(ctx, tx, media.Object); err != nil {
		return 0, err
	}
	id, err := register(ctx, tx, "media", media.OrganisationID)
	if err != nil {
		return 0, err
	}
	media.ID = id
	if err := writes.MediaInsert(ctx, tx, media); err != nil {
		return 0, fmt.Errorf("adding media: %w", err)
	}
	return id, nil
}

const maxFileName = 120 // characters

// fileName makes a file name from a partner safe to save: it removes folders,
// invisible characters and leading dots. A long name loses its start, so that
// the extension is kept.
func fileName(given string) string {
	name := printable(given[strings.LastIndexAny(given, `/\`)+1:], len(given))
	name = strings.Trim(name, ". ")
	if runes := []rune(name); len(runes) > maxFileName {
		name = strings.TrimLeft(string(runes[len(runes)-maxFileName:]), ". ")
	}
	return name
}

// printable removes characters that cannot be printed, such as direction marks,
// and cuts the text to limit characters.
func printable(text string, limit int) string {
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
