package picture

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// maxEXIF is how much of an EXIF block is read for the orientation, in bytes.
const maxEXIF = 64 << 10

// inspectJPEG counts the scans of a JPEG file and returns its orientation.
func inspectJPEG(source io.Reader) (turn int, err error) {
	r := bufio.NewReaderSize(source, 32<<10)
	turn = 1
	for scans := 0; ; {
		marker, err := nextMarker(r)
		if errors.Is(err, io.EOF) || marker == 0xd9 { // what follows the end is never decoded
			return turn, nil
		}
		if err != nil {
			return turn, err
		}
		if marker == 0xd8 || marker == 0x01 || marker >= 0xd0 && marker <= 0xd7 {
			continue // without a length
		}
		if marker == 0xda {
			if scans++; scans > maxScans {
				return turn, problem("The JPEG file has more than %d scans. Export it again, as a baseline or an ordinary progressive file.", maxScans)
			}
		}
		var length uint16
		if err := binary.Read(r, binary.BigEndian, &length); err != nil || length < 2 {
			return turn, nil //nolint:nilerr // the decoder says what is wrong
		}
		body := io.LimitReader(r, int64(length)-2)
		if marker == 0xe1 && turn == 1 {
			head := make([]byte, 6)
			if n, _ := io.ReadFull(body, head); n == 6 && string(head) == "Exif\x00\x00" {
				turn = orientation(body)
			}
		}
		if _, err := io.Copy(io.Discard, body); err != nil {
			return turn, err
		}
	}
}

// nextMarker returns the next marker of a JPEG file. It skips entropy-coded data.
func nextMarker(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if b != 0xff {
			continue
		}
		for b == 0xff {
			if b, err = r.ReadByte(); err != nil {
				return 0, err
			}
		}
		if b != 0 { // 0 stuffs a data byte
			return b, nil
		}
	}
}

// inspectPNG returns the orientation of a PNG file.
func inspectPNG(source io.Reader) (int, error) {
	r := bufio.NewReader(source)
	if _, err := r.Discard(8); err != nil {
		return 1, err
	}
	for {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return 1, nil //nolint:nilerr // the decoder says what is wrong
		}
		length := int64(binary.BigEndian.Uint32(head[:4]))
		switch string(head[4:]) {
		case "eXIf":
			return orientation(io.LimitReader(r, length)), nil
		case "IEND":
			return 1, nil
		}
		if _, err := io.CopyN(io.Discard, r, length+4); err != nil {
			return 1, nil //nolint:nilerr // the decoder says what is wrong
		}
	}
}

// inspectWebP returns the orientation of a WebP file, and refuses animations, which
// no decoder here reads.
func inspectWebP(source io.Reader) (int, error) {
	r := bufio.NewReader(source)
	if _, err := r.Discard(12); err != nil {
		return 1, err
	}
	for {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return 1, nil //nolint:nilerr // the decoder says what is wrong
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		switch string(head[:4]) {
		case "EXIF":
			return orientation(io.LimitReader(r, length)), nil
		case "ANIM", "ANMF":
			return 1, problem("Animated WebP files are not accepted. Use a GIF or a video.")
		}
		if _, err := io.CopyN(io.Discard, r, length+length%2); err != nil {
			return 1, nil //nolint:nilerr // the decoder says what is wrong
		}
	}
}

// inspectGIF counts the frames of a GIF file and their pixels.
func inspectGIF(source io.Reader) error {
	r := bufio.NewReader(source)
	var head [13]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	if err := skipPalette(r, head[10]); err != nil {
		return err
	}
	frames, pixels := 0, 0
	for {
		kind, err := r.ReadByte()
		if err != nil {
			return err
		}
		switch kind {
		case 0x21: // extension
			if _, err := r.ReadByte(); err != nil {
				return err
			}
		case 0x2c: // frame
			var frame [9]byte
			if _, err := io.ReadFull(r, frame[:]); err != nil {
				return err
			}
			frames++
			pixels += int(binary.LittleEndian.Uint16(frame[4:])) * int(binary.LittleEndian.Uint16(frame[6:]))
			if frames > maxFrames || pixels > maxAnimated {
				return problem("The animation has too many frames: at most %d with %d megapixels together. Use a video.", maxFrames, maxAnimated>>20)
			}
			if err := skipPalette(r, frame[8]); err != nil {
				return err
			}
			if _, err := r.ReadByte(); err != nil { // code size
				return err
			}
		case 0x3b: // end
			if frames == 0 {
				return problem("The GIF file has no picture.")
			}
			return nil
		default:
			return problem("The GIF file is damaged. Open it in an image editor and export it again.")
		}
		if err := skipBlocks(r); err != nil {
			return err
		}
	}
}

func skipPalette(r *bufio.Reader, flags byte) error {
	if flags&0x80 == 0 {
		return nil
	}
	_, err := r.Discard(3 << (flags&7 + 1))
	return err
}

func skipBlocks(r *bufio.Reader) error {
	for {
		n, err := r.ReadByte()
		if err != nil || n == 0 {
			return err
		}
		if _, err := r.Discard(int(n)); err != nil {
			return err
		}
	}
}

// orientation returns the orientation of an EXIF block, 1 where it has none that is
// valid.
func orientation(r io.Reader) int {
	block, _ := io.ReadAll(io.LimitReader(r, maxEXIF))
	if len(block) > 6 && string(block[:6]) == "Exif\x00\x00" { // as some WebP files have it
		block = block[6:]
	}
	if len(block) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if block[0] == 'M' {
		order = binary.BigEndian
	}
	start := int64(order.Uint32(block[4:]))
	if start < 8 || start+2 > int64(len(block)) {
		return 1
	}
	count := int(order.Uint16(block[start:]))
	for i := range count {
		at := start + 2 + int64(i)*12
		if at+12 > int64(len(block)) {
			return 1
		}
		if order.Uint16(block[at:]) != 0x0112 {
			continue
		}
		if turn := int(order.Uint16(block[at+8:])); turn >= 1 && turn <= 8 {
			return turn
		}
		return 1
	}
	return 1
}
