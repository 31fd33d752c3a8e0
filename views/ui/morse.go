package ui

import "strings"

// morse is the signalling alphabet of a heliograph (ITU-R M.1677-1).
var morse = map[rune]string{
	'a': ".-", 'b': "-...", 'c': "-.-.", 'd': "-..", 'e': ".", 'f': "..-.", 'g': "--.",
	'h': "....", 'i': "..", 'j': ".---", 'k': "-.-", 'l': ".-..", 'm': "--", 'n': "-.",
	'o': "---", 'p': ".--.", 'q': "--.-", 'r': ".-.", 's': "...", 't': "-", 'u': "..-",
	'v': "...-", 'w': ".--", 'x': "-..-", 'y': "-.--", 'z': "--..",
	'0': "-----", '1': ".----", '2': "..---", '3': "...--", '4': "....-",
	'5': ".....", '6': "-....", '7': "--...", '8': "---..", '9': "----.",
}

// flash is one flash of a word: its left edge and width in units of the row's height.
type flash struct{ X, Width int }

// layFlashes lays a word out as short and long flashes and gives the width of
// the row. Characters without a signal are passed over.
func layFlashes(word string) (row []flash, width int) {
	const short, long, gap, letterGap = 4, 14, 4, 10
	x := 0
	for _, letter := range strings.ToLower(word) {
		signal, ok := morse[letter]
		if !ok {
			continue
		}
		if x > 0 {
			x += letterGap - gap
		}
		for _, sign := range signal {
			w := short
			if sign == '-' {
				w = long
			}
			row = append(row, flash{x, w})
			x += w + gap
		}
	}
	if x == 0 {
		return nil, 0
	}
	return row, x - gap
}
