package card

import (
	"fmt"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
)

// face names one of the fonts.
type face uint8

const (
	regular face = iota
	bold
	mono
)

var sources = map[face][]byte{regular: goregular.TTF, bold: gobold.TTF, mono: gomono.TTF}

// fonts holds the parsed fonts. They are part of the program, so that they can be
// parsed is a matter of its tests.
var fonts = sync.OnceValues(func() (map[face]*sfnt.Font, error) {
	parsed := map[face]*sfnt.Font{}
	for name, source := range sources {
		f, err := opentype.Parse(source)
		if err != nil {
			return nil, fmt.Errorf("parsing a font: %w", err)
		}
		parsed[name] = f
	}
	return parsed, nil
})

// newFace returns a font in a size in pixels. It is for one goroutine.
func newFace(name face, size float64) (font.Face, error) {
	parsed, err := fonts()
	if err != nil {
		return nil, err
	}
	f, err := opentype.NewFace(parsed[name], &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, fmt.Errorf("sizing a font: %w", err)
	}
	return f, nil
}

// covers reports whether the fonts have every letter of a text.
func covers(text string) bool {
	parsed, err := fonts()
	if err != nil {
		return false
	}
	var buffer sfnt.Buffer
	for _, letter := range text {
		for _, f := range parsed {
			if i, err := f.GlyphIndex(&buffer, letter); err != nil || i == 0 {
				return false
			}
		}
	}
	return true
}
