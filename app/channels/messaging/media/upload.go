package media

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/request"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/storage"
)

// Uploads receives large files in parts.
type Uploads struct {
	request.Once
	Files
	media *Store // signs the addresses
}

// NewUploads returns the uploads in stored. media signs their addresses.
func NewUploads(keys request.Once, stored Files, media *Store) *Uploads {
	return &Uploads{Once: keys, Files: stored, media: media}
}

// NewUpload announces a file that is uploaded in steps.
type NewUpload struct {
	Type   input.Text `json:"file_type"`
	Length input.Text `json:"file_length"` // bytes
	Name   input.Text `json:"file_name"`
}

// Session is an open upload. ID is the path and query of the second step
// and contains the signature.
type Session struct {
	ID        string `json:"id"`
	Signature string `json:"sig"`
}

const (
	sessionLife = 24 * time.Hour      // of an incomplete upload
	handleLife  = 30 * 24 * time.Hour // of a complete one
	maxSteps    = 1000                // parts of one file
)

var uploadTypes = []string{"application/pdf", "image/jpeg", "image/jpg", "image/png", "video/mp4"}

// Open opens an upload session for one file.
func (s *Uploads) Open(ctx context.Context, organisationID int64, n NewUpload, key string) (pipeline.Reply, error) {
	length, err := strconv.ParseInt(string(n.Length), 10, 64)
	switch {
	case err != nil || length < 1:
		return pipeline.Reply{}, refusal.New(refusal.Invalid, "file_length", "file_length must be a whole number of bytes, 1 or more")
	case length > MaxSize:
		return pipeline.Reply{}, refusal.New(refusal.Invalid, "file_length", "a file can have at most %d bytes", MaxSize)
	}
	u := models.Upload{
		OrganisationID: organisationID, MIMEType: strings.ToLower(string(n.Type)), Size: length,
		FileName: FileName(string(n.Name)), ExpiresAt: time.Now().Add(sessionLife),
	}
	if !slices.Contains(uploadTypes, u.MIMEType) {
		return pipeline.Reply{}, refusal.New(refusal.Invalid, "file_type", "use one of %s as file_type", strings.Join(uploadTypes, ", "))
	}
	if u.ID, err = uuid.NewRandom(); err != nil {
		return pipeline.Reply{}, fmt.Errorf("drawing an upload id: %w", err)
	}
	request := pipeline.Key{
		OrganisationID: organisationID, Route: "uploads", Value: key,
		Body: fmt.Appendf(nil, "%s %d %q", u.MIMEType, u.Size, u.FileName),
	}
	return s.DoOnce(ctx, request, func(tx pgx.Tx) (any, error) {
		if err := s.UseQuota(ctx, tx, organisationID, length); err != nil {
			return nil, err
		}
		if err := writes.UploadInsert(ctx, tx, u); err != nil {
			return nil, fmt.Errorf("opening an upload: %w", err)
		}
		return s.session(u), nil
	})
}

func (s *Uploads) session(u models.Upload) Session {
	name := base64.RawURLEncoding.EncodeToString(u.ID[:])
	signature := s.media.sign("upload", name, "", u.OrganisationID)
	return Session{ID: "upload:" + name + "?sig=" + signature, Signature: signature}
}

// Chunk identifies the position of bytes: the name and signature of a session,
// and the number of bytes before them.
type Chunk struct {
	Session, Signature string
	Offset             int64
}

// Progress is the progress of an upload: the number of bytes stored and, once it
// is complete, its handle.
type Progress struct {
	Session Session
	Offset  int64
	Handle  string
}

// Upload returns an upload of the organisation by the name of its session. It is
// NotFound if the session is unknown, expired or of another organisation.
func (s *Uploads) Upload(ctx context.Context, organisationID int64, session string) (Progress, error) {
	u, err := s.upload(ctx, organisationID, session)
	return Progress{Session: s.session(u), Offset: u.Received, Handle: encodeHandle(u)}, err
}

func (s *Uploads) upload(ctx context.Context, organisationID int64, session string) (models.Upload, error) {
	raw, err := base64.RawURLEncoding.DecodeString(session)
	id, idErr := uuid.FromBytes(raw)
	if err != nil || idErr != nil {
		return models.Upload{}, uploadNotFound()
	}
	u, err := queries.UploadGet(ctx, s.pool, organisationID, id)
	if err != nil {
		return u, db.Absent(err, uploadNotFound(), "looking an upload up")
	}
	return u, nil
}

func uploadNotFound() error {
	f := fault.As(refusal.NotFound(""))
	f.Message = "Upload session does not exist or has ended"
	f.Fields = []fault.Field{{Name: "session_id", Message: "open a new upload session"}}
	return f
}

// Append stores the next bytes of a file. Bytes received before a connection
// broke are kept, so that a retry continues after them. If more bytes arrive
// than were announced, none are kept. A wrong signature for the session and
// organisation is Forbidden. With the last byte the file is assembled. If only
// that fails, the same call without bytes retries it.
func (s *Uploads) Append(ctx context.Context, organisationID int64, c Chunk, body io.Reader) (Progress, error) {
	if !hmac.Equal([]byte(c.Signature), []byte(s.media.sign("upload", c.Session, "", organisationID))) {
		return Progress{}, refusal.New(refusal.Permission, "sig", "use the id of the upload session unchanged, with its sig")
	}
	ctx = context.WithoutCancel(ctx) // ends with the connection, but received bytes are kept
	u, err := s.upload(ctx, organisationID, c.Session)
	if err != nil {
		return Progress{}, err
	}
	if c.Offset != u.Received {
		return Progress{}, wrongOffset(u)
	}
	if u, err = s.addPart(ctx, u, body); err != nil {
		return Progress{}, err
	}
	if u.Received == u.Size && u.Object == "" {
		if u, err = s.completeUpload(ctx, u); err != nil {
			return Progress{}, err
		}
	}
	return Progress{Session: s.session(u), Offset: u.Received, Handle: encodeHandle(u)}, nil
}

func wrongOffset(u models.Upload) error {
	f := fault.As(refusal.New(refusal.Invalid, "file_offset", "continue from file_offset %d", u.Received))
	f.Message = "Invalid parameter file_offset"
	return f
}

// addPart stores the body as the next part. Each part is a separate object, so
// that every step can be handled by a different process.
func (s *Uploads) addPart(ctx context.Context, u models.Upload, body io.Reader) (models.Upload, error) {
	rest := &truncatedBody{body: body}
	if u.Received == u.Size || len(u.Parts) == maxSteps {
		if n, _ := io.ReadFull(rest, make([]byte, 1)); n > 0 {
			return u, refusal.New(refusal.Invalid, "", "the session was opened for %d bytes in at most %d steps, and more arrived", u.Size, maxSteps)
		}
		return u, nil
	}
	part, err := s.PutObject(ctx, storage.UploadKey, rest, storage.PutOptions{Limit: u.Size - u.Received})
	if fault.Is(err, fault.TooLarge) {
		return u, refusal.New(refusal.Invalid, "", "the session was opened for %d bytes and more arrived", u.Size)
	}
	if err != nil {
		return u, err
	}
	if part.Size == 0 {
		s.DiscardObject(ctx, part.Key.String())
		return u, nil
	}
	advanced := false
	err = db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		advanced, err = writes.UploadAdvance(ctx, tx, u, part.Key.String(), part.Size)
		if err != nil || !advanced {
			return err
		}
		return errands.DiscardKeep(ctx, tx, part.Key.String())
	})
	if err != nil {
		return u, fmt.Errorf("adding a part to an upload: %w", err)
	}
	if u, err = queries.UploadGet(ctx, s.pool, u.OrganisationID, u.ID); err != nil {
		return u, fmt.Errorf("looking an upload up again: %w", err)
	}
	if !advanced { // another request stored this part first
		s.DiscardObject(ctx, part.Key.String())
		return u, wrongOffset(u)
	}
	return u, nil
}

// completeUpload joins the parts to one file and stores it in the upload. If
// several requests do this at the same time, the first result is used by all.
//
// A file with first bytes that are not of the announced type is Invalid, and the
// upload stays incomplete until its session ends.
func (s *Uploads) completeUpload(ctx context.Context, u models.Upload) (models.Upload, error) {
	if err := s.checkParts(ctx, u); err != nil {
		return u, err
	}
	objects := u.Parts
	whole, failed := s.joinParts(ctx, u)
	if failed == nil {
		objects = append(objects, whole)
		failed = db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
			completed, err := writes.UploadComplete(ctx, tx, u.ID, whole, handleLife)
			if err != nil || !completed {
				return err
			}
			return errands.DiscardKeep(ctx, tx, whole)
		})
	}
	u, err := queries.UploadGet(ctx, s.pool, u.OrganisationID, u.ID)
	switch {
	case err != nil:
		return u, fmt.Errorf("looking an upload up again: %w", err)
	case u.Object == "":
		return u, fmt.Errorf("completing an upload: %w", failed)
	}
	for _, object := range objects {
		if object != u.Object {
			s.DiscardObject(ctx, object)
		}
	}
	return u, nil
}

// checkParts checks the first bytes of an upload against its announced type.
func (s *Uploads) checkParts(ctx context.Context, u models.Upload) error {
	parts := &objectReader{ctx: ctx, store: s.store, objects: u.Parts}
	defer parts.Close()
	head := make([]byte, min(HeadSize, u.Size))
	if _, err := io.ReadFull(parts, head); err != nil {
		return fmt.Errorf("reading the first bytes of an upload: %w", err)
	}
	_, err := CheckType(u.MIMEType, head)
	return err
}

// joinParts returns the object that contains all parts of an upload.
func (s *Uploads) joinParts(ctx context.Context, u models.Upload) (string, error) {
	if len(u.Parts) == 1 {
		return u.Parts[0], nil
	}
	parts := &objectReader{ctx: ctx, store: s.store, objects: u.Parts}
	defer parts.Close()
	object, err := s.PutObject(ctx, storage.UploadKey, parts, storage.PutOptions{ContentType: u.MIMEType, Size: u.Size})
	return object.Key.String(), err
}

// truncatedBody reports a broken connection as the end of the body.
type truncatedBody struct{ body io.Reader }

// Read implements io.Reader.
func (b *truncatedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	if err != nil && !fault.Is(err, fault.TooLarge) {
		err = io.EOF
	}
	return n, err
}

// objectReader reads several objects in sequence.
type objectReader struct {
	ctx     context.Context
	store   storage.Store
	objects []string
	current io.ReadCloser // of the object that is being read
}

// Read implements io.Reader.
func (j *objectReader) Read(p []byte) (int, error) {
	for {
		if j.current == nil {
			if len(j.objects) == 0 {
				return 0, io.EOF
			}
			key, err := storage.ParseKey(j.objects[0])
			if err != nil {
				return 0, err
			}
			if j.current, _, err = j.store.Get(j.ctx, key, storage.Range{}); err != nil {
				return 0, err
			}
			j.objects = j.objects[1:]
		}
		n, err := j.current.Read(p)
		if err != io.EOF {
			return n, err
		}
		if err := j.Close(); err != nil || n > 0 {
			return n, err
		}
	}
}

// Close closes the current object.
func (j *objectReader) Close() error {
	if j.current == nil {
		return nil
	}
	err := j.current.Close()
	j.current = nil
	return err
}
