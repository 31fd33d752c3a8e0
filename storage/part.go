package storage

import (
	"errors"
	"io"
	"sync"
)

const (
	// partSize is how much of a body is held in memory: the smallest part of S3.
	partSize  = 5 << 20
	blockSize = 256 << 10
)

var blocks = sync.Pool{New: func() any { return new([blockSize]byte) }}

// part is a part of a body in memory. It takes as much as was received.
type part struct {
	blocks []*[blockSize]byte
	size   int
}

// fill reads the next part from src and reports whether src ended with it.
func (p *part) fill(src io.Reader) (ended bool, err error) {
	for p.size < partSize {
		if p.size == len(p.blocks)*blockSize {
			p.blocks = append(p.blocks, blocks.Get().(*[blockSize]byte))
		}
		n, err := src.Read(p.blocks[p.size/blockSize][p.size%blockSize:])
		p.size += n
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// ReadAt implements io.ReaderAt.
func (p *part) ReadAt(b []byte, offset int64) (n int, err error) {
	for at := int(offset); n < len(b) && at < p.size; at = int(offset) + n {
		start := at % blockSize
		n += copy(b[n:], p.blocks[at/blockSize][start:min(blockSize, start+p.size-at)])
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// reader returns a reader of the part.
func (p *part) reader() *io.SectionReader { return io.NewSectionReader(p, 0, int64(p.size)) }

// free gives the memory of the part back.
func (p *part) free() {
	for _, b := range p.blocks {
		blocks.Put(b)
	}
	p.blocks, p.size = nil, 0
}
