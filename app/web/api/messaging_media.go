package api

import (
	"context"
	"io"
	"strconv"
	"time"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db/models"
)

// messagingMedia answers the operations on media.
type messagingMedia struct {
	files *media.Store
	base  string // start of absolute addresses
}

// uploadMedia serves POST /{phone_number_id}/media: it stores the file of a
// multipart form.
func (m messagingMedia) uploadMedia(ctx context.Context, c *call, number models.PhoneNumber, _ none) (raw, error) {
	body := c.incoming()
	defer body.drain()
	c.request.Body = body
	form, err := c.request.MultipartReader()
	if err != nil {
		return nil, &fault.Error{Kind: fault.Invalid, Message: "Missing required parameter sheet", Err: err,
			Fields: []fault.Field{{Name: "sheet", Message: "send the file as the part sheet of a multipart/form-data body"}}}
	}
	return c.replied(m.files.Upload(ctx, number, form, c.key()))
}

type mediaInput struct {
	PhoneNumberID input.Text `json:"phone_number_id"` // the number that the media belongs to, if given
}

func (m messagingMedia) media(ctx context.Context, c *call, in mediaInput) (models.Media, error) {
	return m.files.OfNumber(ctx, c.caller.OrganisationID, c.params["mediaid"], string(in.PhoneNumberID))
}

// downloadMedia serves POST /downloadMedia/{mediaid}: the bytes of a file.
func (m messagingMedia) downloadMedia(ctx context.Context, c *call, in mediaInput) (any, error) {
	media, err := m.media(ctx, c, in)
	if err != nil {
		return nil, err
	}
	body, err := m.files.Open(ctx, media)
	return newMediaFile(media, body), err
}

type mediaInformation struct {
	URL              string `json:"url"`
	MIMEType         string `json:"mime_type"`
	SHA256           string `json:"sha256"`
	FileSize         int64  `json:"file_size"`
	ID               string `json:"id"`
	MessagingProduct string `json:"messaging_product"`
}

// getMedia serves GET /{mediaid}: the properties of a file and a URL of its bytes
// that is valid for five minutes.
func (m messagingMedia) getMedia(ctx context.Context, c *call, in mediaInput) (mediaInformation, error) {
	file, err := m.media(ctx, c, in)
	if err != nil {
		return mediaInformation{}, err
	}
	query := m.files.Query(file, time.Now().Add(media.LinkLife))
	return mediaInformation{
		URL:      m.base + Prefix + "/" + c.word + "_business/attachments/?" + query,
		MIMEType: file.MIMEType, SHA256: file.SHA256, FileSize: file.Size,
		ID: strconv.FormatInt(file.ID, 10), MessagingProduct: c.word,
	}, nil
}

// deleteMedia serves DELETE /{mediaid}.
func (m messagingMedia) deleteMedia(ctx context.Context, c *call, in mediaInput) (success, error) {
	media, err := m.media(ctx, c, in)
	if err != nil {
		return success{}, err
	}
	return success{true}, m.files.Delete(ctx, media)
}

type attachmentInput struct {
	MediaID input.Text `json:"mid"`
	Expires input.Text `json:"ext"` // Unix seconds
	Hash    input.Text `json:"hash"`
}

// getAttachment serves GET /msgapp_business/attachments: the bytes at the URL from
// getMedia, or a range of them.
func (m messagingMedia) getAttachment(ctx context.Context, c *call, in attachmentInput) (any, error) {
	media, err := m.files.Linked(ctx, c.caller.OrganisationID, string(in.MediaID), string(in.Expires), string(in.Hash))
	if err != nil {
		return nil, err
	}
	body, err := m.files.Open(ctx, media)
	f := newMediaFile(media, body)
	f.ranges = true
	return f, err
}

func newMediaFile(m models.Media, body io.ReadSeekCloser) file {
	return file{body: body, contentType: m.MIMEType, name: m.FileName, sha256: m.SHA256, size: m.Size, modified: m.CreatedAt}
}
