package sms

import "strings"

// The default alphabet of GSM 03.38. The positions do not matter here: carriers
// convert the text.
const gsmBasic = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
	"¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"

// The extension table: an escape and a second septet for each character.
const gsmExtension = "^{}\\[~]|€\f"

// gsmCost holds the septets of each character of the GSM alphabet below U+0100.
var gsmCost = func() (cost [0x100]uint8) {
	for _, r := range gsmBasic {
		if r < 0x100 {
			cost[r] = 1
		}
	}
	for _, r := range gsmExtension {
		if r < 0x100 {
			cost[r] = 2
		}
	}
	return cost
}()

// septets returns how many septets a character takes in the GSM alphabet, or 0 if
// it is not in it.
func septets(r rune) int {
	switch {
	case r < 0x100:
		return int(gsmCost[r])
	case r == '€':
		return 2
	case r <= 'Ω' && strings.ContainsRune("ΔΦΓΛΩΠΨΣΘΞ", r):
		return 1
	}
	return 0
}

// utf16Units returns how many UTF-16 code units a character takes.
func utf16Units(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// isGSM reports whether a text has only characters of the GSM alphabet.
func isGSM(text string) bool {
	for _, r := range text {
		if septets(r) == 0 {
			return false
		}
	}
	return true
}

// encodingOf returns the encoding that a text needs.
func encodingOf(text string) textEncoding {
	if isGSM(text) {
		return gsm7
	}
	return ucs2
}
