package messaging

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"heliograph/app/fault"
	"heliograph/db/models"
	"heliograph/storage"
)

// Handle is an uploaded file that a handle names.
type Handle struct {
	Key      storage.Key
	MIMEType string
	Size     int64 // bytes
}

// handle is the text by which other operations name a complete upload; an
// incomplete one has none. Clients treat it as opaque.
func handle(u models.Upload) string {
	if u.Object == "" {
		return ""
	}
	return "4::" + base64.StdEncoding.EncodeToString([]byte(u.MIMEType)) +
		":" + base64.RawURLEncoding.EncodeToString(u.ID[:]) + ":e:" + strconv.FormatInt(u.ExpiresAt.Unix(), 10)
}

// Handle finds the file that a handle names, for 30 days and for the
// organisation that uploaded it; any other text is Invalid with code 100. The
// file is removed when that time is over: copy what must outlive it.
func (s *Service) Handle(ctx context.Context, organisationID int64, text string) (Handle, error) {
	invalid := reject(codeInvalid, "handle", "the file handle is not one of yours or its time is over: upload the file again")
	parts := strings.Split(text, ":")
	if len(parts) != 6 {
		return Handle{}, invalid
	}
	u, err := s.upload(ctx, organisationID, parts[3])
	switch {
	case fault.Is(err, fault.NotFound):
		return Handle{}, invalid
	case err != nil:
		return Handle{}, err
	case handle(u) != text || text == "":
		return Handle{}, invalid
	}
	key, err := storage.ParseKey(u.Object)
	if err != nil {
		return Handle{}, fmt.Errorf("reading the key of an upload: %w", err)
	}
	return Handle{key, u.MIMEType, u.Size}, nil
}
