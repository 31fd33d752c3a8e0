package rcs

import (
	"bytes"
	"encoding/binary"
)

// maxScans is how many scans a JPEG image may have. A progressive one of common
// programs has about 10. Each scan makes a program that shows the image go over all of
// it again.
const maxScans = 50

// The markers of JPEG (ITU-T T.81, table B.1).
const (
	jpegEnd  = 0xd9
	jpegScan = 0xda
)

// isWholeJPEG reports whether a JPEG image is complete and cheap to show. It walks over
// the segments of the file without decoding anything.
func isWholeJPEG(content []byte) bool {
	rest, scans := content[2:], 0
	for {
		fill := 0
		for fill < len(rest) && rest[fill] == 0xff {
			fill++
		}
		if fill == 0 || fill == len(rest) {
			return false
		}
		marker := rest[fill]
		rest = rest[fill+1:]
		switch {
		case marker == jpegEnd:
			return scans > 0
		case marker == 0x01, marker >= 0xd0 && marker <= 0xd8: // without a length
			continue
		}
		if len(rest) < 2 {
			return false
		}
		length := int(binary.BigEndian.Uint16(rest))
		if length < 2 || length > len(rest) {
			return false
		}
		rest = rest[length:]
		if marker != jpegScan {
			continue
		}
		if scans++; scans > maxScans {
			return false
		}
		if rest = afterScan(rest); rest == nil {
			return false
		}
	}
}

// afterScan returns what follows the data of a scan, from its marker on, or nil.
func afterScan(rest []byte) []byte {
	for {
		i := bytes.IndexByte(rest, 0xff)
		if i < 0 || i+1 >= len(rest) {
			return nil
		}
		if next := rest[i+1]; next != 0 && next != 0xff && (next < 0xd0 || next > 0xd7) { // neither data nor a restart
			return rest[i:]
		}
		rest = rest[i+1:]
	}
}

// isWholePNG reports whether a PNG image ends where it should. It walks over the chunks
// of the file without inflating anything.
func isWholePNG(content []byte) bool {
	const frame = 12 // length, type and checksum of a chunk
	data := false
	for rest := content[8:]; len(rest) >= frame; {
		length := binary.BigEndian.Uint32(rest)
		if uint64(length)+frame > uint64(len(rest)) {
			return false
		}
		switch string(rest[4:8]) {
		case "IDAT":
			data = true
		case "IEND":
			return data
		}
		rest = rest[uint64(length)+frame:]
	}
	return false
}
