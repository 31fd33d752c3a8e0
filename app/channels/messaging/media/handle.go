package media

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/fault"
	"heliograph/db/models"
	"heliograph/storage"
)

// File is the file that an upload handle identifies.
type File struct {
	Key      storage.Key
	MIMEType string
	Size     int64 // bytes
}

// encodeHandle returns the text by which other operations refer to a complete
// upload. It is empty for an incomplete one. Clients treat it as opaque.
func encodeHandle(u models.Upload) string {
	if u.Object == "" {
		return ""
	}
	return "4::" + base64.StdEncoding.EncodeToString([]byte(u.MIMEType)) +
		":" + base64.RawURLEncoding.EncodeToString(u.ID[:]) + ":e:" + strconv.FormatInt(u.ExpiresAt.Unix(), 10)
}

// OpenHandle finds the file that a handle names, for 30 days and for the
// organisation that uploaded it; any other text is Invalid with code 100. The
// file is removed when that time is over: copy what must outlive it.
func (s *Uploads) OpenHandle(ctx context.Context, organisationID int64, text string) (File, error) {
	invalid := refusal.New(refusal.Invalid, "handle", "the file handle does not belong to your organisation or has expired: upload the file again")
	parts := strings.Split(text, ":")
	if len(parts) != 6 {
		return File{}, invalid
	}
	u, err := s.upload(ctx, organisationID, parts[3])
	switch {
	case fault.Is(err, fault.NotFound):
		return File{}, invalid
	case err != nil:
		return File{}, err
	case encodeHandle(u) != text || text == "":
		return File{}, invalid
	}
	key, err := storage.ParseKey(u.Object)
	if err != nil {
		return File{}, fmt.Errorf("reading the key of an upload: %w", err)
	}
	return File{key, u.MIMEType, u.Size}, nil
}
