package picture

import (
	"bytes"
	"context"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/draw"
)

// variants encodes an upright image in all sizes, each made from the one before.
func variants(ctx context.Context, img image.Image, mimeType string) ([]Variant, error) {
	if mimeType == WebP {
		mimeType = JPEG
		if o, ok := img.(interface{ Opaque() bool }); ok && !o.Opaque() {
			mimeType = PNG
		}
	}
	full, err := encode("full", img, mimeType, fullQuality)
	if err != nil {
		return nil, err
	}
	list := []Variant{full}
	for _, size := range sizes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if img.Bounds().Dx() <= size.width {
			continue
		}
		img = scale(img, size.width)
		v, err := encode(size.name, img, mimeType, sizeQuality)
		if err != nil {
			return nil, err
		}
		// Few colours may need fewer bytes in the full size than many blends in a smaller one.
		if len(v.Body) < len(full.Body) || size.name == "small" {
			list = append(list, v)
		}
	}
	return list, nil
}

func scale(img image.Image, width int) image.Image {
	b := img.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, width, max(1, b.Dy()*width/b.Dx())))
	draw.CatmullRom.Scale(small, small.Bounds(), img, b, draw.Src, nil)
	return small
}

func encode(name string, img image.Image, mimeType string, quality int) (Variant, error) {
	var b bytes.Buffer
	var err error
	if mimeType == JPEG {
		err = jpeg.Encode(&b, img, &jpeg.Options{Quality: quality})
	} else {
		err = png.Encode(&b, img)
	}
	size := img.Bounds().Size()
	return Variant{Name: name, MIMEType: mimeType, Width: size.X, Height: size.Y, Body: b.Bytes()}, err
}

// animation re-encodes a GIF with all frames and makes a still thumbnail.
func animation(r io.Reader) ([]Variant, error) {
	all, err := gif.DecodeAll(r)
	if err != nil {
		return nil, err
	}
	canvas := image.Rect(0, 0, all.Config.Width, all.Config.Height)
	for _, frame := range all.Image {
		if !frame.Bounds().In(canvas) {
			return nil, problem("A frame of the animation is larger than the animation. Export it again.")
		}
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, all); err != nil {
		return nil, err
	}
	list := []Variant{{Name: "full", MIMEType: GIF, Width: canvas.Dx(), Height: canvas.Dy(), Body: b.Bytes()}}
	still := image.NewRGBA(canvas)
	draw.Draw(still, all.Image[0].Bounds(), all.Image[0], all.Image[0].Bounds().Min, draw.Src)
	width := sizes[len(sizes)-1].width
	if canvas.Dx() <= width && len(all.Image) == 1 {
		return list, nil
	}
	small, err := encode("small", scale(still, min(width, canvas.Dx())), PNG, 0)
	return append(list, small), err
}

// upright applies an EXIF orientation, 1 to 8.
func upright(img image.Image, turn int) image.Image {
	if turn < 2 || turn > 8 {
		return img
	}
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	flat, ok := img.(*image.RGBA)
	if !ok || b.Min != (image.Point{}) {
		flat = image.NewRGBA(image.Rect(0, 0, w, h))
		draw.Draw(flat, flat.Bounds(), img, b.Min, draw.Src)
	}
	size := image.Rect(0, 0, w, h)
	if turn >= 5 { // the sides swap
		size = image.Rect(0, 0, h, w)
	}
	turned := image.NewRGBA(size)
	for y := range h {
		for x := range w {
			tx, ty := target(turn, x, y, w, h)
			copy(turned.Pix[turned.PixOffset(tx, ty):][:4], flat.Pix[flat.PixOffset(x, y):][:4])
		}
	}
	return turned
}

// target returns where a pixel goes.
func target(turn, x, y, w, h int) (int, int) {
	switch turn {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	}
	return y, w - 1 - x // 8
}
