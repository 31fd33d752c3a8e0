// Package picture re-encodes images of foreign origin: upright, without metadata,
// in several sizes, and within bounds of pixels, scans, frames and time. SVG
// drawings are rebuilt from a safe subset.
package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// The bounds of an image.
const (
	maxSide   = 8192     // pixels
	maxPixels = 25 << 20 // 25 megapixels
	maxDeep   = maxPixels / 2
	maxScans  = 32  // of a progressive JPEG; each one costs as much as all pixels
	maxFrames = 300 // of a GIF
	// maxAnimated is the number of pixels of all frames of a GIF.
	maxAnimated = 100 << 20
)

// Media types that Make reads.
const (
	JPEG = "image/jpeg"
	PNG  = "image/png"
	GIF  = "image/gif"
	WebP = "image/webp"
)

// The qualities of JPEG files.
const (
	fullQuality = 90
	sizeQuality = 82
)

// Variant is an image in one size.
type Variant struct {
	Name          string // full, large, medium or small
	MIMEType      string
	Width, Height int
	Body          []byte
}

// sizes are the widths of the smaller variants in pixels.
var sizes = []struct {
	name  string
	width int
}{{"large", 1920}, {"medium", 960}, {"small", 320}}

// Problem says why an image is refused and what to do about it.
type Problem string

// Error returns the sentence.
func (p Problem) Error() string { return string(p) }

func problem(format string, args ...any) error { return Problem(fmt.Sprintf(format, args...)) }

// Make reads an image of a media type and returns it re-encoded, the full size
// first. A variant that would be as wide as the image is left out. JPEG stays
// JPEG, PNG stays PNG and an animation stays GIF; WebP becomes JPEG, or PNG if it is
// transparent. A Problem says why the image is refused. Reading stops when ctx ends.
func Make(ctx context.Context, source io.ReadSeeker, mimeType string) ([]Variant, error) {
	in := &reader{ctx: ctx, source: source}
	turn, err := inspect(in, mimeType)
	if err != nil {
		return nil, in.judge(err)
	}
	if err := in.rewind(); err != nil {
		return nil, err
	}
	if mimeType == GIF {
		list, err := animation(in)
		return list, in.judge(err)
	}
	img, err := decode(in, mimeType)
	if err != nil {
		return nil, in.judge(err)
	}
	return variants(ctx, upright(img, turn), mimeType)
}

// CheckHeader refuses an image by its first bytes if they tell that it exceeds a
// bound. It decodes no pixels.
func CheckHeader(head []byte, mimeType string) error {
	config, err := configOf(bytes.NewReader(head), mimeType)
	if err != nil {
		return nil //nolint:nilerr // the header may be longer; Make decides
	}
	return checkConfig(config)
}

// reader reads a source until its context ends. It remembers an error of the
// source, which says nothing about the image.
type reader struct {
	ctx    context.Context
	source io.ReadSeeker
	failed error
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		r.failed = err
		return 0, err
	}
	n, err := r.source.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.failed = err
	}
	return n, err
}

func (r *reader) rewind() error {
	_, err := r.source.Seek(0, io.SeekStart)
	return err
}

// judge returns the error of the source, or a Problem for any other error.
func (r *reader) judge(err error) error {
	var known Problem
	switch {
	case err == nil || r.failed != nil:
		return r.failed
	case errors.As(err, &known):
		return err
	}
	return problem("The image is damaged: %v. Open it in an image editor and export it again.", err)
}

// inspect checks the bounds of an image before its pixels are decoded, and returns
// its EXIF orientation.
func inspect(in *reader, mimeType string) (turn int, err error) {
	config, err := configOf(in, mimeType)
	if err != nil {
		return 0, err
	}
	if err := checkConfig(config); err != nil {
		return 0, err
	}
	if err := in.rewind(); err != nil {
		return 0, err
	}
	switch mimeType {
	case JPEG:
		return inspectJPEG(in)
	case PNG:
		return inspectPNG(in)
	case WebP:
		return inspectWebP(in)
	case GIF:
		return 1, inspectGIF(in)
	}
	return 1, nil
}

func configOf(r io.Reader, mimeType string) (image.Config, error) {
	switch mimeType {
	case JPEG:
		return jpeg.DecodeConfig(r)
	case PNG:
		return png.DecodeConfig(r)
	case GIF:
		return gif.DecodeConfig(r)
	case WebP:
		return webp.DecodeConfig(r)
	}
	return image.Config{}, problem("Images of the type %s are not accepted. Use JPEG, PNG, GIF, WebP or SVG.", mimeType)
}

func checkConfig(c image.Config) error {
	limit := maxPixels
	if c.ColorModel == color.RGBA64Model || c.ColorModel == color.NRGBA64Model {
		limit = maxDeep
	}
	switch {
	case c.Width <= 0 || c.Height <= 0:
		return problem("The image has no pixels.")
	case c.Width > maxSide || c.Height > maxSide:
		return problem("The image has %d × %d pixels. Use at most %d on each side.", c.Width, c.Height, maxSide)
	case c.Width*c.Height > limit:
		return problem("The image has %d × %d pixels. Use at most %d megapixels.", c.Width, c.Height, limit>>20)
	}
	return nil
}

func decode(r io.Reader, mimeType string) (image.Image, error) {
	switch mimeType {
	case JPEG:
		return jpeg.Decode(r)
	case PNG:
		return png.Decode(r)
	}
	return webp.Decode(r)
}
