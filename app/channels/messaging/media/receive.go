package media

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"strconv"
	"time"

	"github.com/gabriel-vasile/mimetype"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/request"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/db/models"
	"heliograph/storage"
)

// Reply is the response to an upload. It has the id twice, because clients
// read it from different places.
type Reply struct {
	Response struct {
		ID string `json:"id"`
	} `json:"response"`
	ID string `json:"id"`
}

// receivedFile is a file that is stored and not referred to yet.
type receivedFile struct {
	storage.Object
	head     []byte // its first bytes
	name     string
	declared string // media type, or empty if the part had none
}

// maxParts is the maximum number of parts of a form.
const maxParts = 50

// Upload stores the file of a form, in the part sheet or file, as media of
// a number. The form is streamed, so that only a few kilobytes of it are in
// memory. key is the caller's Idempotency-Key, or empty. Boundaries differ
// between retries, so requests are compared by the name, type, size and SHA-256
// of the file.
func (s *Store) Upload(ctx context.Context, number models.PhoneNumber, form *multipart.Reader, key string) (reply pipeline.Reply, err error) {
	if err := (&pipeline.Key{Value: key}).Check(); err != nil {
		return reply, request.Fault(err) // before the body is read
	}
	if err := s.checkStored(ctx, s.pool, number.OrganisationID, 1); err != nil && key == "" {
		return reply, err
	}
	var file *receivedFile
	defer func() {
		if file != nil && (err != nil || reply.Replayed) {
			s.DiscardObject(ctx, file.Key.String())
		}
	}()
	declared := ""
	for range maxParts {
		part, err := form.NextPart()
		if err == io.EOF { // not wrapped, so the form is complete
			return s.acceptMedia(ctx, number, file, declared, key)
		}
		if err != nil {
			return reply, incompleteBody(err)
		}
		switch part.FormName() {
		case "sheet", "file":
			if file != nil {
				return reply, refusal.New(refusal.Invalid, part.FormName(), "the form has more than one file: send each file in a separate request")
			}
			if file, err = s.receiveFile(ctx, part, declared); err != nil {
				return reply, err
			}
		case "type":
			value, err := io.ReadAll(io.LimitReader(bodyReader{part}, 256))
			if err != nil {
				return reply, err
			}
			declared = string(value)
		}
	}
	return reply, refusal.New(refusal.Invalid, "", "the form has more than %d parts: send the file and its type only", maxParts)
}

// receiveFile stores the file of a part. A known type that is not supported is
// refused before the body is read. An unknown one is checked later.
func (s *Store) receiveFile(ctx context.Context, part *multipart.Part, declared string) (*receivedFile, error) {
	file := &receivedFile{name: FileName(part.FileName()), declared: part.Header.Get("Content-Type")}
	if part.FileName() == "" && file.declared == "" {
		return nil, refusal.New(refusal.Invalid, part.FormName(), "the part %s is a plain field: send the file with its file name", part.FormName())
	}
	if CanonicalType(file.declared) != "" {
		declared = file.declared
	}
	body := bufio.NewReaderSize(bodyReader{part}, HeadSize)
	head, _ := body.Peek(HeadSize) // an error here is returned again below
	file.head = append(file.head, head...)
	known := unknown
	if len(head) > 0 && CanonicalType(declared) != "" {
		var err error
		if known, err = CheckType(declared, head); err != nil {
			return nil, err
		}
	}
	var err error
	file.Object, err = s.PutObject(ctx, storage.MediaKey, body, storage.PutOptions{Limit: known.Limit})
	switch f := fault.As(err); {
	case err == nil:
		return file, nil
	case f != nil && f.Kind == fault.TooLarge:
		return nil, known.tooLarge()
	case f != nil && f.Kind == fault.Unavailable:
		return nil, storageUnavailable(err)
	}
	return nil, err
}

// acceptMedia checks a complete file and stores its media row.
func (s *Store) acceptMedia(ctx context.Context, number models.PhoneNumber, file *receivedFile, declared, key string) (pipeline.Reply, error) {
	if file == nil {
		f := fault.As(refusal.New(refusal.Invalid, "sheet", "send the file as the form part sheet"))
		f.Message = "Missing required parameter sheet"
		return pipeline.Reply{}, f
	}
	if file.Size == 0 {
		return pipeline.Reply{}, refusal.New(refusal.Invalid, "sheet", "the file is empty: send one with content")
	}
	if CanonicalType(file.declared) != "" {
		declared = file.declared
	}
	known, err := CheckType(declared, file.head)
	if err != nil {
		return pipeline.Reply{}, err
	}
	if file.Size > known.Limit {
		return pipeline.Reply{}, known.tooLarge()
	}
	media := models.Media{
		OrganisationID: number.OrganisationID, PhoneNumberID: number.ID, Object: file.Key.String(), MIMEType: known.Name,
		Size: file.Size, SHA256: file.SHA256, FileName: file.name, ExpiresAt: time.Now().Add(Life),
	}
	if media.FileName == "" {
		media.FileName = "media" + mimetype.Lookup(known.Name).Extension()
	}
	request := pipeline.Key{
		OrganisationID: number.OrganisationID, Route: "media/" + strconv.FormatInt(number.ID, 10), Value: key,
		Body: fmt.Appendf(nil, "%s %d %s %q", media.MIMEType, media.Size, media.SHA256, media.FileName),
	}
	return s.DoOnce(ctx, request, func(tx pgx.Tx) (any, error) {
		if err := s.UseQuota(ctx, tx, media.OrganisationID, media.Size); err != nil {
			return nil, err
		}
		id, err := Add(ctx, tx, media)
		answer := Reply{ID: strconv.FormatInt(id, 10)}
		answer.Response.ID = answer.ID
		return answer, err
	})
}

// bodyReader reads a request body. It turns an early end into an Invalid error,
// which storage returns unchanged.
type bodyReader struct{ body io.Reader }

// Read implements io.Reader.
func (a bodyReader) Read(p []byte) (int, error) {
	n, err := a.body.Read(p)
	if err != nil && err != io.EOF {
		err = incompleteBody(err)
	}
	return n, err
}

// incompleteBody returns the error for a body that cannot be read to its end.
func incompleteBody(err error) error {
	if fault.As(err) != nil {
		return err
	}
	f := fault.As(refusal.New(refusal.Invalid, "", "the body ended before it was complete, or is not a multipart form: send it again"))
	f.Err = err
	return f
}

// storageUnavailable returns the error for a file that storage did not accept.
func storageUnavailable(cause error) error {
	f := fault.As(refusal.New(refusal.MediaUpload, "sheet", "the file could not be stored: retry the upload"))
	f.Err = cause
	return f
}
