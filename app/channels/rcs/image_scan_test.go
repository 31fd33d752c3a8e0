package rcs

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"
	"time"

	"heliograph/app/fault"
)

// progressive returns a JPEG image of the size of a banner with so many scans over all
// of it, in the smallest form.
func progressive(scans int) []byte {
	b := []byte("\xff\xd8\xff\xc2\x00\x0b\x08\x01\xc0\x04\x74\x01\x01\x11\x00")
	for range scans {
		b = append(b, "\xff\xda\x00\x08\x01\x01\x00\x01\x01\x00\x00"...)
	}
	return append(b, "\xff\xd9"...)
}

// An image is checked without being decoded: a small file that takes minutes to decode
// is refused at once, and so is one that is cut off.
func TestImagesAreNotDecoded(t *testing.T) {
	t.Parallel()
	var whole, picture bytes.Buffer
	banner := image.NewGray(image.Rect(0, 0, 1140, 448))
	if err := jpeg.Encode(&whole, banner, nil); err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(&picture, banner); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		content []byte
		ok      bool
	}{
		"JPEG": {whole.Bytes(), true}, "PNG": {picture.Bytes(), true}, "progressive JPEG": {progressive(10), true},
		"JPEG with bytes after its end": {append(slices.Clone(whole.Bytes()), "<html>"...), true},
		"28,268 scans":                  {progressive(28_268), false}, "51 scans": {progressive(51), false},
		"cut JPEG": {whole.Bytes()[:whole.Len()/2], false}, "cut PNG": {picture.Bytes()[:picture.Len()-20], false},
		"JPEG without scans": {progressive(0), false}, "PNG without data": {append(slices.Clone(picture.Bytes()[:33]), picture.Bytes()[picture.Len()-12:]...), false},
		"fill bytes without an end": {append(progressive(1)[:15], bytes.Repeat([]byte{0xff}, 300<<10)...), false},
	} {
		start := time.Now()
		_, err := bannerImage.read("botBannerImage", tt.content)
		if tt.ok != (err == nil) || err != nil && !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s takes %s", name, took)
		}
	}
}

func FuzzImagesEnd(f *testing.F) {
	f.Add(progressive(3))
	f.Add([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x00IDAT"))
	f.Fuzz(func(_ *testing.T, content []byte) {
		if len(content) > 8 {
			isWholeJPEG(content)
			isWholePNG(content)
		}
	})
}
