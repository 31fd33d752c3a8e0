package api

import (
	"context"
	"mime"
	"strconv"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/fault"
)

// messagingUploads answers the operations on uploads in parts.
type messagingUploads struct{ uploads *media.Uploads }

// createUploadSession serves POST /app/uploads: it announces a file.
func (m messagingUploads) createUploadSession(ctx context.Context, c *call, in media.NewUpload) (raw, error) {
	return c.replied(m.uploads.Open(ctx, c.caller.OrganisationID, in, c.key()))
}

type uploadProgress struct {
	ID     string `json:"id,omitempty"`
	Offset int64  `json:"file_offset"`
}

type fileHandle struct {
	Handle string `json:"h"`
}

// uploadFile serves POST /upload:{session_id}: raw bytes of the announced file.
func (m messagingUploads) uploadFile(ctx context.Context, c *call, _ none) (any, error) {
	if kind, _, _ := mime.ParseMediaType(c.request.Header.Get("Content-Type")); kind == "multipart/form-data" {
		return nil, unreadableBody("the body is a form: send the bytes of the file as the body, such as with curl --data-binary @file")
	}
	chunk := media.Chunk{Session: c.params["session_id"], Signature: c.query.Get("sig")}
	if offset := c.request.Header.Get("file_offset"); offset != "" {
		var err error
		if chunk.Offset, err = strconv.ParseInt(offset, 10, 64); err != nil {
			return nil, &fault.Error{Kind: fault.Invalid, Message: "Invalid parameter file_offset",
				Fields: []fault.Field{{Name: "file_offset", Message: "give file_offset as the number of bytes that are stored"}}}
		}
	}
	body := c.incoming()
	defer body.drain()
	progress, err := m.uploads.Append(ctx, c.caller.OrganisationID, chunk, body)
	if err != nil || progress.Handle == "" {
		return uploadProgress{Offset: progress.Offset}, err
	}
	return fileHandle{progress.Handle}, nil
}

// getUpload serves GET /upload:{session_id}: the offset to resume at.
func (m messagingUploads) getUpload(ctx context.Context, c *call, _ none) (uploadProgress, error) {
	progress, err := m.uploads.Upload(ctx, c.caller.OrganisationID, c.params["session_id"])
	return uploadProgress{progress.Session.ID, progress.Offset}, err
}
