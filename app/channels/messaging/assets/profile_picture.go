package assets

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"regexp"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/request"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
	"heliograph/storage"
)

// Profiles manages what people see about a number.
type Profiles struct {
	request.Names
	o ProfileOptions
}

// ProfileOptions holds the dependencies of Profiles.
type ProfileOptions struct {
	Pool    *pgxpool.Pool
	Store   storage.Store
	Files   media.Files    // pictures
	Words   request.Names  // names of the channel
	BaseURL string         // scheme and host of links
	Jobs    args.Inserter  // for changes that go to an upstream
	Uploads *media.Uploads // their handles name pictures
}

// NewProfiles returns the profiles in a database.
func NewProfiles(o ProfileOptions) *Profiles { return &Profiles{o.Words, o} }

const (
	maxPicture     = 5 * media.MB
	pictureEntropy = 16 // bytes of a name
)

var pictureName = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)

// PictureURL returns the URL of the picture with a name, or "" for no name.
func (s *Profiles) PictureURL(name string) string {
	if name == "" {
		return ""
	}
	return s.o.BaseURL + "/pictures/" + name
}

// Picture opens the picture of a profile. The caller closes it.
func (s *Profiles) Picture(ctx context.Context, name string) (*storage.File, error) {
	unknown := fault.New(fault.NotFound, "This picture does not exist.")
	if !pictureName.MatchString(name) {
		return nil, unknown
	}
	p, err := queries.ProfilePictureGet(ctx, s.o.Pool, name)
	if err != nil {
		return nil, db.Absent(err, unknown, "looking a picture up")
	}
	key, err := storage.ParseKey(p.Object)
	if err != nil {
		return nil, fmt.Errorf("reading the key of a picture: %w", err)
	}
	return storage.Open(ctx, s.o.Store, key)
}

// copyPicture copies the image that a handle identifies, because uploads are deleted
// after 30 days. It returns nil for no handle.
func (s *Profiles) copyPicture(ctx context.Context, number models.PhoneNumber, handle *input.Text) (*models.ProfilePicture, error) {
	if handle == nil {
		return nil, nil
	}
	const member = "profile_picture_handle"
	file, err := s.o.Uploads.OpenHandle(ctx, number.OrganisationID, string(*handle))
	if fault.Is(err, fault.Invalid) {
		return nil, refusal.New(refusal.Invalid, member, "%s must be the handle of an image that your organisation uploaded in the last 30 days", member)
	}
	if err != nil {
		return nil, err
	}
	kind := media.CanonicalType(file.MIMEType)
	if kind != "image/jpeg" && kind != "image/png" || file.Size > maxPicture {
		return nil, refusal.New(refusal.Invalid, member, "%s must be the handle of a JPEG or PNG image of at most %d bytes", member, maxPicture)
	}
	body, err := storage.Open(ctx, s.o.Store, file.Key)
	if err != nil {
		return nil, fmt.Errorf("reading an upload: %w", err)
	}
	defer body.Close()
	object, err := s.o.Files.PutObject(ctx, storage.MediaKey, body, storage.PutOptions{ContentType: kind, Size: file.Size})
	if err != nil {
		return nil, fmt.Errorf("copying an upload: %w", err)
	}
	name := make([]byte, pictureEntropy)
	rand.Read(name) //nolint:errcheck // it never fails
	return &models.ProfilePicture{PhoneNumberID: number.ID, Name: base64.RawURLEncoding.EncodeToString(name), Object: object.Key.String(), Size: object.Size}, nil
}

// replacePicture stores the picture of a number in the caller's transaction. Its
// bytes were counted for the day when they were uploaded.
func (s *Profiles) replacePicture(ctx context.Context, tx pgx.Tx, organisationID int64, p models.ProfilePicture) error {
	if err := s.o.Files.MakeRoom(ctx, tx, organisationID, p.Size); err != nil {
		return err
	}
	if err := errands.DiscardKeep(ctx, tx, p.Object); err != nil {
		return err
	}
	if err := writes.ProfilePictureReplace(ctx, tx, p); err != nil {
		return fmt.Errorf("replacing the picture of %d: %w", p.PhoneNumberID, err)
	}
	return nil
}
