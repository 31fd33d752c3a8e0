// Package media keeps the files of the messaging channel: what organisations upload, at once
// or in parts, and what the links of their messages lead to, within their quotas.
package media

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

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/channels/messaging/request"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/storage"
)

// Store stores the files that messages show.
type Store struct {
	request.Once
	Files
	links []byte // key that signs URLs of media and uploads
}

// New returns the media in stored. links signs their URLs.
func New(keys request.Once, stored Files, links []byte) *Store {
	return &Store{Once: keys, Files: stored, links: links}
}

const (
	// Life is how long uploaded media are kept.
	Life = 30 * 24 * time.Hour

	// LinkLife is how long the download URL of a file is valid.
	LinkLife = 5 * time.Minute
)

// Get returns the media with the id. It is NotFound if it does not belong to
// the organisation or has expired.
func (s *Store) Get(ctx context.Context, organisationID int64, id string) (models.Media, error) {
	n, ok := registry.ParseID(id)
	if !ok {
		return models.Media{}, refusal.NotFound(id)
	}
	media, err := queries.MediaGet(ctx, s.pool, organisationID, n)
	if err != nil {
		return media, db.Absent(err, refusal.NotFound(id), "looking media up")
	}
	return media, nil
}

// OfNumber is like Media and also checks the phone number of the media if
// phoneNumberID is not empty. A different number is Forbidden.
func (s *Store) OfNumber(ctx context.Context, organisationID int64, id, phoneNumberID string) (models.Media, error) {
	media, err := s.Get(ctx, organisationID, id)
	if err != nil || phoneNumberID == "" {
		return media, err
	}
	number, ok := registry.ParseID(phoneNumberID)
	switch {
	case !ok:
		return media, refusal.New(refusal.Invalid, "phone_number_id", "phone_number_id must have 15 or 16 digits")
	case number != media.PhoneNumberID:
		return media, refusal.New(refusal.Permission, "phone_number_id", "use the phone_number_id that the media was uploaded to, or omit it")
	}
	return media, nil
}

// Open opens the file of media. The caller closes it. ctx applies to every
// read.
func (s *Store) Open(ctx context.Context, media models.Media) (*storage.File, error) {
	key, err := storage.ParseKey(media.Object)
	if err != nil {
		return nil, fmt.Errorf("reading the key of media %d: %w", media.ID, err)
	}
	return storage.Open(ctx, s.store, key)
}

// Delete deletes media and its file. Media that was already deleted is
// NotFound.
func (s *Store) Delete(ctx context.Context, media models.Media) error {
	deleted, err := writes.MediaDelete(ctx, s.pool, media.OrganisationID, media.ID)
	if err != nil {
		return fmt.Errorf("deleting media: %w", err)
	}
	if !deleted {
		return refusal.NotFound(strconv.FormatInt(media.ID, 10))
	}
	s.DiscardObject(ctx, media.Object)
	return nil
}

// Query returns the query of a URL with which the organisation can
// download media until expires, truncated to seconds.
func (s *Store) Query(media models.Media, expires time.Time) string {
	id, ext := strconv.FormatInt(media.ID, 10), strconv.FormatInt(expires.Unix(), 10)
	return "mid=" + id + "&ext=" + ext + "&hash=" + s.sign("media", id, ext, media.OrganisationID)
}

// Linked returns the media that the query of a download URL identifies. A
// URL that was changed, has expired or belongs to another organisation is
// NotFound.
func (s *Store) Linked(ctx context.Context, organisationID int64, mid, ext, hash string) (models.Media, error) {
	for _, part := range []struct{ name, value string }{{"mid", mid}, {"ext", ext}, {"hash", hash}} {
		if part.value == "" {
			f := fault.As(refusal.New(refusal.Invalid, part.name, "use the url from the media information unchanged, with its mid, ext and hash"))
			f.Message = "Missing required parameter " + part.name
			return models.Media{}, f
		}
	}
	expires, err := strconv.ParseInt(ext, 10, 64)
	if !hmac.Equal([]byte(hash), []byte(s.sign("media", mid, ext, organisationID))) || err != nil || time.Now().Unix() >= expires {
		f := fault.As(refusal.NotFound(mid))
		f.Fields = []fault.Field{{Name: "hash", Message: "the URL has expired or was changed: get the media information again for a new URL"}}
		return models.Media{}, f
	}
	return s.Get(ctx, organisationID, mid)
}

// sign returns the signature of a URL's parameters for one purpose and
// organisation.
func (s *Store) sign(purpose, name, detail string, organisationID int64) string {
	return base64.RawURLEncoding.EncodeToString(keyring.MAC(s.links, purpose, name, detail, strconv.FormatInt(organisationID, 10)))
}

// Add registers a stored file as media of a number.
func Add(ctx context.Context, tx pgx.Tx, media models.Media) (int64, error) {
	if err := errands.DiscardKeep(ctx, tx, media.Object); err != nil {
		return 0, err
	}
	id, err := registry.Add(ctx, tx, "media", media.OrganisationID)
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

// FileName makes a file name from a partner safe to save: it removes folders,
// invisible characters and leading dots. A long name loses its start, so that
// the extension is kept.
func FileName(given string) string {
	name := Printable(given[strings.LastIndexAny(given, `/\`)+1:], len(given))
	name = strings.Trim(name, ". ")
	if runes := []rune(name); len(runes) > maxFileName {
		name = strings.TrimLeft(string(runes[len(runes)-maxFileName:]), ". ")
	}
	return name
}

// Printable removes characters that cannot be printed, such as direction marks,
// and cuts the text to limit characters.
func Printable(text string, limit int) string {
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
