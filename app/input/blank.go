package input

import (
	"strings"
	"unicode"
)

// invisible are characters that have a place in a text and no picture: the default
// ignorable ones that are no formatting, fillers of Hangul and the empty Braille cell.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{{0x034F, 0x034F, 1}, {0x115F, 0x1160, 1}, {0x17B4, 0x17B5, 1}, {0x180B, 0x180F, 1}, {0x2800, 0x2800, 1}, {0x3164, 0x3164, 1}, {0xFE00, 0xFE0F, 1}, {0xFFA0, 0xFFA0, 1}},
	R32: []unicode.Range32{{0xE0100, 0xE01EF, 1}},
}

// IsBlank reports whether a text has no character that a person sees. An empty text is
// blank.
func IsBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) && !unicode.Is(invisible, r)
	})
}
