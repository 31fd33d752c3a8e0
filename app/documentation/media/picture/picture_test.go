package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/media/picture"
)

// photo returns an image with a red left half and a blue right half.
func photo(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{200, byte(y), byte(x), 255}
			if x >= w/2 {
				c = color.RGBA{byte(y), byte(x), 200, 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func asJPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asPNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withEXIF adds an EXIF block with an orientation and a secret to a JPEG file.
func withEXIF(file []byte, turn byte) []byte {
	block := []byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(turn) + "\x00\x00\x00\x00\x00\x00GPS-SECRET")
	head := []byte{0xff, 0xd8, 0xff, 0xe1, 0, 0}
	binary.BigEndian.PutUint16(head[4:], uint16(len(block)+2))
	return append(append(head, block...), file[2:]...)
}

func make3(t *testing.T, file []byte, mimeType string) []picture.Variant {
	t.Helper()
	list, err := picture.Make(t.Context(), bytes.NewReader(file), mimeType)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func decoded(t *testing.T, v picture.Variant) image.Image {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(v.Body))
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	if size := img.Bounds().Size(); size != image.Pt(v.Width, v.Height) {
		t.Errorf("%s is %v, want %d × %d", v.Name, size, v.Width, v.Height)
	}
	return img
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		mimeType string
		file     []byte
		want     string
	}{
		{picture.JPEG, asJPEG(t, photo(2400, 1200)), "full 2400×1200, large 1920×960, medium 960×480, small 320×160"},
		{picture.JPEG, asJPEG(t, photo(1000, 10)), "full 1000×10, medium 960×9, small 320×3"},
		{picture.PNG, asPNG(t, photo(320, 200)), "full 320×200"},
		{picture.JPEG, asJPEG(t, photo(400, 1)), "full 400×1, small 320×1"},
	} {
		var got []string
		for _, v := range make3(t, tt.file, tt.mimeType) {
			decoded(t, v)
			got = append(got, fmt.Sprintf("%s %d×%d", v.Name, v.Width, v.Height))
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("sizes %s, want %s", text, tt.want)
		}
	}
}

// Every orientation is applied, in every size, and no metadata is left.
func TestUpright(t *testing.T) {
	t.Parallel()
	file := asJPEG(t, photo(640, 400))
	red := func(c color.Color) bool { r, _, b, _ := c.RGBA(); return r > 0x8000 && b < r || r > b }
	for turn, at := range map[byte]image.Point{1: {0, 0}, 2: {639, 0}, 3: {639, 399}, 4: {0, 399}, 5: {0, 0}, 6: {399, 0}, 7: {399, 639}, 8: {0, 639}} {
		for _, v := range make3(t, withEXIF(file, turn), picture.JPEG) {
			img := decoded(t, v)
			if swapped := v.Height > v.Width; swapped != (turn >= 5) {
				t.Errorf("orientation %d: %s is %d × %d", turn, v.Name, v.Width, v.Height)
			}
			x, y := at.X*(v.Width-1)/max(1, at.X), at.Y*(v.Height-1)/max(1, at.Y)
			if !red(img.At(x, y)) {
				t.Errorf("orientation %d: the first corner of %s is not at %d, %d", turn, v.Name, x, y)
			}
			if bytes.Contains(v.Body, []byte("Exif")) || bytes.Contains(v.Body, []byte("GPS-SECRET")) {
				t.Errorf("orientation %d: %s has metadata", turn, v.Name)
			}
		}
	}
}

// Bytes that make a file a program for another reader do not survive.
func TestPolyglots(t *testing.T) {
	t.Parallel()
	script := []byte("<script>alert(1)</script><?php system('id'); ?>PK\x03\x04")
	comment := append([]byte{0xff, 0xfe, 0, byte(len(script) + 2)}, script...)
	file := asJPEG(t, photo(50, 50))
	for name, f := range map[string][]byte{
		"after the end": append(bytes.Clone(file), script...), "comment": append(append([]byte{0xff, 0xd8}, comment...), file[2:]...),
	} {
		for _, v := range make3(t, f, picture.JPEG) {
			if bytes.Contains(v.Body, []byte("script")) || bytes.Contains(v.Body, []byte("PK\x03")) {
				t.Errorf("%s: %s has the foreign bytes", name, v.Name)
			}
		}
	}
	for _, v := range make3(t, append(asPNG(t, photo(50, 50)), script...), picture.PNG) {
		if bytes.Contains(v.Body, []byte("script")) {
			t.Errorf("PNG: %s has the foreign bytes", v.Name)
		}
	}
}

// bomb returns a PNG file that claims to have many pixels.
func bomb(w, h uint32) []byte {
	file := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	file = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(file, w), h)
	file = append(file, "\x08\x02\x00\x00\x00"...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(file[12:]))
}

// progressive returns a JPEG file with many scans without data.
func progressive(scans int) []byte {
	file := []byte("\xff\xd8\xff\xc2\x00\x0b\x08\x10\x00\x10\x00\x01\x01\x11\x00")
	for range scans {
		file = append(file, "\xff\xda\x00\x08\x01\x01\x00\x01\x01\x00\x00"...)
	}
	return append(file, 0xff, 0xd9)
}

func TestHostileImagesAreRefused(t *testing.T) {
	t.Parallel()
	file := asJPEG(t, photo(100, 100))
	frames := &gif.GIF{}
	for range 301 {
		frames.Image, frames.Delay = append(frames.Image, image.NewPaletted(image.Rect(0, 0, 1, 1), palette.Plan9)), append(frames.Delay, 1)
	}
	var long bytes.Buffer
	if err := gif.EncodeAll(&long, frames); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		mimeType string
		file     []byte
		want     string
	}{
		"too wide": {picture.PNG, bomb(60000, 1), "on each side"}, "too many pixels": {picture.PNG, bomb(8000, 8000), "megapixels"},
		"no pixels": {picture.PNG, bomb(0, 10), ""}, "cut off": {picture.JPEG, file[:len(file)/2], "damaged"}, "scans": {picture.JPEG, progressive(5000), "scans"},
		"nothing": {picture.GIF, nil, "damaged"}, "frames": {picture.GIF, long.Bytes(), "frames"}, "no image": {picture.WebP, []byte("RIFF\x00\x00\x00\x00WEBPVP8 "), "damaged"},
		"another type": {"image/tiff", file, "not accepted"}, "HTML": {picture.GIF, []byte("GIF89a<script>alert(1)</script>"), ""},
	} {
		began := time.Now()
		_, err := picture.Make(t.Context(), bytes.NewReader(tt.file), tt.mimeType)
		var problem picture.Problem
		if !errors.As(err, &problem) || !strings.Contains(string(problem), tt.want) {
			t.Errorf("%s: %v, want a problem with %q", name, err, tt.want)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func TestAnimation(t *testing.T) {
	t.Parallel()
	g := &gif.GIF{Config: image.Config{Width: 400, Height: 300}}
	for range 3 {
		g.Image, g.Delay = append(g.Image, image.NewPaletted(image.Rect(0, 0, 400, 300), palette.Plan9)), append(g.Delay, 10)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	list := make3(t, b.Bytes(), picture.GIF)
	all, err := gif.DecodeAll(bytes.NewReader(list[0].Body))
	if err != nil || len(all.Image) != 3 || len(list) != 2 || list[1].MIMEType != picture.PNG || list[1].Width != 320 {
		t.Errorf("%d variants with %v, %v", len(list), all, err)
	}
}

func TestSVGIsRebuilt(t *testing.T) {
	t.Parallel()
	source := `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:x="urn:x" viewBox="0 0 24.4 12" class="a" data-x="1">
		<metadata><x:secret>me</x:secret></metadata><x:thing onclick="a"/><title>A &amp; "B"</title><defs><path id="p" d="M0 0h1"/></defs>
		<use xlink:href="#p" style="fill: #f00; behavior: url(x.htc)"/><rect width="1" height="2" fill="url(#g)"/></svg>`
	drawing, err := picture.RebuildSVG([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if drawing.Width != 24 || drawing.Height != 12 {
		t.Errorf("the size is %d × %d", drawing.Width, drawing.Height)
	}
	for _, gone := range []string{"secret", "onclick", "behavior", "class", "data-x", "xlink", "<?xml"} {
		if strings.Contains(drawing.Text, gone) {
			t.Errorf("%s is left: %s", gone, drawing.Text)
		}
	}
	for _, kept := range []string{`href="#p"`, `fill="#f00"`, `<title>A &amp; &quot;B&quot;</title>`, `fill="url(#g)"`} {
		if !strings.Contains(drawing.Text, kept) {
			t.Errorf("%s is missing: %s", kept, drawing.Text)
		}
	}
	if again, err := picture.RebuildSVG([]byte(drawing.Text)); err != nil || again.Text != drawing.Text {
		t.Errorf("rebuilding it again gives %q, %v", again.Text, err)
	}
}

func TestHostileSVGIsRefused(t *testing.T) {
	t.Parallel()
	nested := `<g id="a0"><path d="M0 0"/></g>`
	for i := range 20 {
		nested += fmt.Sprintf(`<g id="a%d"><use href="#a%d"/><use href="#a%d"/></g>`, i+1, i, i)
	}
	for name, body := range map[string]string{
		"script": `<script>alert(1)</script>`, "event": `<path d="M0 0" onload="alert(1)"/>`, "Event": `<g ONCLICK="x"/>`, "foreign object": `<foreignObject><body/></foreignObject>`,
		"image": `<image href="https://example.com/x.png"/>`, "use of another file": `<use href="https://example.com/x.svg#a"/>`, "data": `<use href="data:image/svg+xml,x"/>`,
		"link": `<a href="javascript:alert(1)"><path d="M0 0"/></a>`, "style": `<style>@import url(//example.com)</style>`, "cycle": `<g id="a"><use href="#a"/></g>`,
		"laughs": nested, "depth": strings.Repeat("<g>", 40) + strings.Repeat("</g>", 40), "elements": strings.Repeat("<g/>", 6000), "unknown": `<blink/>`,
		"instruction": `<?xml-stylesheet href="x.css"?>`, "open": `<g>`, "entity": `&xxe;`,
	} {
		_, err := picture.RebuildSVG([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">` + body + `</svg>`))
		var problem picture.Problem
		if !errors.As(err, &problem) {
			t.Errorf("%s: %v, want a problem", name, err)
		}
	}
	for name, source := range map[string]string{
		"doctype": `<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1"/>`, "no size": `<svg/>`, "NaN": `<svg viewBox="0 0 NaN 1"/>`, "HTML": `<html/>`, "nothing": ``,
		"large": `<svg viewBox="0 0 1 1"><!--` + strings.Repeat("x", 300<<10) + `--></svg>`, "two": `<svg viewBox="0 0 1 1"/><svg viewBox="0 0 1 1"/>`,
	} {
		if _, err := picture.RebuildSVG([]byte(source)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func BenchmarkTwelveMegapixels(b *testing.B) {
	file := asJPEG(b, photo(4000, 3000))
	for b.Loop() {
		if _, err := picture.Make(b.Context(), bytes.NewReader(file), picture.JPEG); err != nil {
			b.Fatal(err)
		}
	}
}
