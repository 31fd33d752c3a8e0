package sms

import "fmt"

// textEncoding is how the characters of a message are sent.
type textEncoding string

// The encodings.
const (
	gsm7  textEncoding = "GSM7"   // 7 bits a character, 14 in the extension table
	ucs2  textEncoding = "UCS2"   // 16 bits a character, 32 above U+FFFF
	data8 textEncoding = "BINARY" // octets
)

// part is one short message of a text.
type part struct {
	Text string // empty for binary messages
	Data []byte // octets of a binary message
	UDH  []byte // user data header with its length octet; nil for none
}

// content is what a message carries, before it is divided.
type content struct {
	Encoding textEncoding
	Text     string
	Data     []byte // of a binary message
	UDH      []byte // the sender's user data header; nil for none

	// Reference joins the parts of a text on the phone. With WideReference it has
	// 16 bits, otherwise 8.
	Reference     uint16
	WideReference bool
}

// octets is the user data of one short message, header included.
const octets = 140

// Split divides a message into as few parts as possible, at least one. A
// character of the extension table and a surrogate pair are never divided. The
// error says that the header leaves no room, or that there would be more than 255
// parts.
func (c content) Split() ([]part, error) {
	if c.fits() {
		return []part{{Text: c.Text, Data: c.Data, UDH: c.UDH}}, nil
	}
	room := c.capacity(len(c.concatenated(0, 0)))
	if room < 2 {
		return nil, refuse(codeUDH, "the header leaves no room for the text")
	}
	parts := c.divide(room)
	if len(parts) > 255 {
		return nil, tooManyParts(len(parts), maxParts)
	}
	for i := range parts {
		parts[i].UDH = c.concatenated(len(parts), i+1)
	}
	return parts, nil
}

// capacity returns the units that fit behind a header of n octets: septets,
// UTF-16 units or octets.
func (c content) capacity(n int) int {
	switch c.Encoding {
	case gsm7:
		return (octets - n) * 8 / 7
	case ucs2:
		return (octets - n) / 2
	}
	return octets - n
}

// cost returns the units that a character takes.
func (c content) cost(r rune) int {
	if c.Encoding == gsm7 {
		return septets(r)
	}
	return utf16Units(r)
}

// fits reports whether one part is enough.
func (c content) fits() bool {
	room := c.capacity(len(c.UDH))
	if c.Encoding == data8 {
		return len(c.Data) <= room
	}
	for _, r := range c.Text {
		if room -= c.cost(r); room < 0 {
			return false
		}
	}
	return true
}

// divide fills one part after the other with up to room units.
func (c content) divide(room int) (parts []part) {
	if c.Encoding == data8 {
		for data := c.Data; len(data) > 0; {
			n := min(room, len(data))
			parts, data = append(parts, part{Data: data[:n]}), data[n:]
		}
		return parts
	}
	start, used := 0, 0
	for i, r := range c.Text {
		cost := c.cost(r)
		if used+cost > room {
			parts = append(parts, part{Text: c.Text[start:i]})
			start, used = i, 0
		}
		used += cost
	}
	return append(parts, part{Text: c.Text[start:]})
}

// concatenated returns the header of a part: the sender's elements and the one
// that numbers the parts (3GPP TS 23.040, 9.2.3.24.1 and 9.2.3.24.8).
func (c content) concatenated(total, number int) []byte {
	own := c.UDH
	if len(own) > 0 {
		own = own[1:]
	}
	element := []byte{0x00, 3, byte(c.Reference), byte(total), byte(number)}
	if c.WideReference {
		element = []byte{0x08, 4, byte(c.Reference >> 8), byte(c.Reference), byte(total), byte(number)}
	}
	header := append([]byte{byte(len(own) + len(element))}, own...)
	return append(header, element...)
}

func tooManyParts(parts, most int) error {
	return refuse(CodeBadRequest, fmt.Sprintf("the text takes %d parts: shorten it to %d", parts, most))
}

// checkUDH checks that the lengths in a user data header add up and returns
// whether it numbers parts itself.
func checkUDH(udh []byte) (numbered bool, ok bool) {
	if len(udh) < 3 || int(udh[0]) != len(udh)-1 || len(udh) > octets {
		return false, false
	}
	for rest := udh[1:]; len(rest) > 0; {
		if len(rest) < 2 || len(rest) < 2+int(rest[1]) {
			return false, false
		}
		numbered = numbered || rest[0] == 0x00 || rest[0] == 0x08
		rest = rest[2+int(rest[1]):]
	}
	return numbered, true
}

// portHeader returns the user data header that addresses a port of the phone.
func portHeader(port int) []byte {
	return []byte{6, 0x05, 4, byte(port >> 8), byte(port), 0, 0}
}
