package rcs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // read by image.DecodeConfig
	"image/png"
	"io"
	"net/http"
	"strings"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// fetcher sends requests to public addresses only. It follows no redirects.
type fetcher interface {
	Do(owner string, req *http.Request) (*http.Response, error)
}

// imageKind is what an image must be.
type imageKind struct {
	limit         int64 // bytes
	width, height int   // pixels; 0 means up to maxPixels
}

// The images of bots and templates.
var (
	logoImage   = imageKind{limit: 90 << 10, width: 224, height: 224}
	bannerImage = imageKind{limit: 360 << 10, width: 1140, height: 448}
	screenImage = imageKind{limit: 2 << 20}
)

// maxPixels is the longest side of an image without a fixed size.
const maxPixels = 4096

// fetch downloads the image at an address. Its errors name the field.
func (k imageKind) fetch(ctx context.Context, f fetcher, owner, field, address string) (models.RCSImage, error) {
	content, _, err := download(ctx, f, owner, remote{field: field, address: address, limit: k.limit, whole: true})
	if err != nil {
		return models.RCSImage{}, err
	}
	return k.read(field, content)
}

// read checks an image. A JPEG image is never decoded, because a hostile file of a few
// hundred kilobytes costs minutes of a processor. A PNG image of the right size costs
// no more than its pixels.
func (k imageKind) read(field string, content []byte) (i models.RCSImage, err error) {
	if int64(len(content)) > k.limit {
		return i, invalid(field, "file_size", "must have at most "+sizeText(k.limit))
	}
	isWhole := isWholePNG
	switch {
	case bytes.HasPrefix(content, []byte("\x89PNG\r\n\x1a\n")):
		i.MediaType = "image/png"
	case bytes.HasPrefix(content, []byte("\xff\xd8\xff")):
		i.MediaType, isWhole = "image/jpeg", isWholeJPEG
	default:
		return i, invalid(field, "image_format", "must be a PNG or JPEG image")
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	switch {
	case err != nil:
		return i, invalid(field, "image_format", "must be a PNG or JPEG image that can be decoded")
	case k.width != 0 && (config.Width != k.width || config.Height != k.height):
		return i, invalid(field, "image_size", fmt.Sprintf("must be %d x %d px", k.width, k.height))
	case config.Width > maxPixels || config.Height > maxPixels:
		return i, invalid(field, "image_size", fmt.Sprintf("must be at most %d px wide and high", maxPixels))
	}
	if k.width != 0 && i.MediaType == "image/png" {
		if _, err := png.Decode(bytes.NewReader(content)); err != nil {
			return i, invalid(field, "image_format", "must be a PNG or JPEG image that can be decoded")
		}
	}
	if !isWhole(content) {
		return i, invalid(field, "image_format", fmt.Sprintf("must be a whole PNG image, or a whole JPEG image of at most %d scans", maxScans))
	}
	i.Content = content
	return i, nil
}

// remote is a file at an address of a partner.
type remote struct {
	field, address string
	limit          int64 // bytes
	whole          bool  // read all of it, not only its start
}

// startLength is how much of a file is read to tell its type, in bytes.
const startLength = 512

// download fetches a file. Without whole it returns the start of it, and the size
// as the server states it, or -1.
func download(ctx context.Context, f fetcher, owner string, r remote) (content []byte, size int64, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.address, nil)
	if err != nil {
		return nil, 0, invalid(r.field, "url", "must be a URL that begins with http:// or https://")
	}
	res, err := f.Do(owner, req)
	if err != nil {
		return nil, 0, refusedFetch(ctx, r.field, err)
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return nil, 0, invalid(r.field, "not_fetched", fmt.Sprintf("answered %d: use the final address, since redirects are not followed", res.StatusCode))
	case res.StatusCode != http.StatusOK:
		return nil, 0, invalid(r.field, "not_fetched", fmt.Sprintf("answered %d instead of 200", res.StatusCode))
	case res.ContentLength > r.limit:
		return nil, 0, invalid(r.field, "file_size", "must have at most "+sizeText(r.limit))
	}
	most := int64(startLength)
	if r.whole {
		most = r.limit + 1
	}
	content, err = io.ReadAll(io.LimitReader(res.Body, most))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge), int64(len(content)) > r.limit:
		return nil, 0, invalid(r.field, "file_size", "must have at most "+sizeText(r.limit))
	case err != nil:
		return nil, 0, refusedFetch(ctx, r.field, err)
	}
	return content, res.ContentLength, nil
}

// refusedFetch returns the error of an address that could not be read. Causes are
// left out, because they may name addresses of our network.
func refusedFetch(ctx context.Context, field string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	reason := "must be a public address that can be fetched"
	if f := fault.As(err); f != nil {
		reason += ": " + strings.TrimSuffix(f.Message, ".")
	}
	return invalid(field, "not_fetched", reason)
}

func sizeText(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d KB", n>>10)
}
