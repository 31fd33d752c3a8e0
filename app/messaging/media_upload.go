package messaging

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

	"heliograph/app/fault"
	"heliograph/db/models"
	"heliograph/storage"
)

// MediaReply is the answer to an upload; the id stands twice, for the two
// kinds of clients there are.
type MediaReply struct {
	Response struct {
		ID string `json:"id"`
	} `json:"response"`
	ID string `json:"id"`
}

// arrived is a file whose bytes are stored and that nothing refers to yet.
type arrived struct {
	storage.Object
	head     []byte // its first bytes
	name     string
	declared string // media type, empty if the part had none
}

// maxParts bounds the parts of a form.
const maxParts = 50

// UploadMedia stores the file in a form, part sheet or file, as media of a
// number. The form is read as it arrives: no more than a few kilobytes of it
// are in memory. key is the caller's Idempotency-Key, or empty. Boundaries
// differ from one try to the next, so what a key is compared by is the file
// itself: its name, type, size and SHA-256.
func (s *Service) UploadMedia(ctx context.Context, number models.PhoneNumber, form *multipart.Reader, key string) (reply Reply, err error) {
	if _, err := s.claim("", nil, key); err != nil {
		return reply, err // not only once everything has arrived
	}
	var file *arrived
	defer func() {
		if file != nil && (err != nil || reply.Replayed) {
			s.discard(ctx, file.Key.String())
		}
	}()
	declared := ""
	for range maxParts {
		part, err := form.NextPart()
		if err == io.EOF { // and not wrapped: the form is complete
			return s.acceptMedia(ctx, number, file, declared, key)
		}
		if err != nil {
			return reply, cutOff(err)
		}
		switch part.FormName() {
		case "sheet", "file":
			if file != nil {
				return reply, reject(codeInvalid, part.FormName(), "the form holds more than one file: send each in a request of its own")
			}
			if file, err = s.receive(ctx, part, declared); err != nil {
				return reply, err
			}
		case "type":
			value, err := io.ReadAll(io.LimitReader(arriving{part}, 256))
			if err != nil {
				return reply, err
			}
			declared = string(value)
		}
	}
	return reply, reject(codeInvalid, "", "the form has more than %d parts: send the file and its type only", maxParts)
}

// receive stores the file of a part. A type that is known already, and wrong,
// is refused before the bytes are read; one that is not yet, later.
func (s *Service) receive(ctx context.Context, part *multipart.Part, declared string) (*arrived, error) {
	file := &arrived{name: fileName(part.FileName()), declared: part.Header.Get("Content-Type")}
	if part.FileName() == "" && file.declared == "" {
		return nil, reject(codeInvalid, part.FormName(), "the part %s is a plain field: send the file with its file name", part.FormName())
	}
	if canonical(file.declared) != "" {
		declared = file.declared
	}
	body := bufio.NewReaderSize(arriving{part}, headSize)
	head, _ := body.Peek(headSize) // what fails here fails again below
	file.head = append(file.head, head...)
	known := anyMedia
	if len(head) > 0 && canonical(declared) != "" {
		var err error
		if known, err = typeOf(declared, head); err != nil {
			return nil, err
		}
	}
	var err error
	file.Object, err = s.put(ctx, storage.MediaKey, body, storage.PutOptions{Limit: known.limit})
	switch f := fault.As(err); {
	case err == nil:
		return file, nil
	case f != nil && f.Kind == fault.TooLarge:
		return nil, known.tooLarge()
	case f != nil && f.Kind == fault.Unavailable:
		return nil, notStored(err)
	}
	return nil, err
}

// acceptMedia checks a file of which everything is known now, and commits it.
func (s *Service) acceptMedia(ctx context.Context, number models.PhoneNumber, file *arrived, declared, key string) (Reply, error) {
	if file == nil {
		f := fault.As(reject(codeInvalid, "sheet", "send the file as the form part sheet"))
		f.Message = "Missing required parameter sheet"
		return Reply{}, f
	}
	if file.Size == 0 {
		return Reply{}, reject(codeInvalid, "sheet", "the file is empty: send one with content")
	}
	if canonical(file.declared) != "" {
		declared = file.declared
	}
	known, err := typeOf(declared, file.head)
	if err != nil {
		return Reply{}, err
	}
	if file.Size > known.limit {
		return Reply{}, known.tooLarge()
	}
	media := models.Media{
		OrganisationID: number.OrganisationID, PhoneNumberID: number.ID, Object: file.Key.String(), MIMEType: known.name,
		Size: file.Size, SHA256: file.SHA256, FileName: file.name, ExpiresAt: time.Now().Add(mediaLife),
	}
	if media.FileName == "" {
		media.FileName = "media" + mimetype.Lookup(known.name).Extension()
	}
	request := Request{
		OrganisationID: number.OrganisationID, Route: "media/" + strconv.FormatInt(number.ID, 10), Key: key,
		Body: fmt.Appendf(nil, "%s %d %s %q", media.MIMEType, media.Size, media.SHA256, media.FileName),
	}
	return s.Once(ctx, request, func(tx pgx.Tx) (any, error) {
		id, err := addMedia(ctx, tx, media)
		answer := MediaReply{ID: strconv.FormatInt(id, 10)}
		answer.Response.ID = answer.ID
		return answer, err
	})
}

// arriving makes the end of a body that comes too early the sender's fault,
// which storage passes on.
type arriving struct{ body io.Reader }

// Read reads what has arrived.
func (a arriving) Read(p []byte) (int, error) {
	n, err := a.body.Read(p)
	if err != nil && err != io.EOF {
		err = cutOff(err)
	}
	return n, err
}

// cutOff is the fault of a body that cannot be read to its end.
func cutOff(err error) error {
	if fault.As(err) != nil {
		return err
	}
	f := fault.As(reject(codeInvalid, "", "the body ended before it was complete, or is not a multipart form: send it again"))
	f.Err = err
	return f
}

// notStored is the answer when storage is away.
func notStored(cause error) error {
	f := fault.As(reject(codeMediaUpload, "sheet", "the file was not stored: repeat the upload"))
	f.Err = cause
	return f
}
