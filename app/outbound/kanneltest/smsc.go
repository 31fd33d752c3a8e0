// Package kanneltest starts a Kannel gateway for tests, with an SMPP operator
// behind it that takes every message.
package kanneltest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
)

// Commands of SMPP 3.4. A response has the highest bit set.
const (
	bindTransceiver = 0x00000009
	submitSM        = 0x00000004
	deliverSM       = 0x00000005
	enquireLink     = 0x00000015
	unbind          = 0x00000006
	response        = 0x80000000
)

// Submitted is a short message that the operator got.
type Submitted struct {
	ID, From, To  string
	ESMClass, DCS byte
	Text          []byte // with its user data header
	TLVs          map[uint16]string
	Validity      string
}

// smsc is an SMPP 3.4 message centre for one gateway. It takes every message and
// sends a receipt with the state that answer gives it; an empty state refuses the
// message.
type smsc struct {
	listener net.Listener
	answer   func(Submitted) (state string)

	mu   sync.Mutex
	conn net.Conn // the last one that was bound
	got  []Submitted
	last uint32
}

func startSMSC(t testing.TB, answer func(Submitted) string) *smsc {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &smsc{listener: listener, answer: answer}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { defer conn.Close(); s.serve(conn) })
			t.Cleanup(func() { conn.Close() })
		}
	})
	t.Cleanup(func() { listener.Close(); wg.Wait() })
	return s
}

func (s *smsc) port() int { return s.listener.Addr().(*net.TCPAddr).Port }

func (s *smsc) serve(conn net.Conn) {
	for {
		var head [4]uint32
		if err := binary.Read(conn, binary.BigEndian, &head); err != nil {
			return
		}
		body := make([]byte, head[0]-16)
		if _, err := io.ReadFull(conn, body); err != nil {
			return
		}
		switch head[1] {
		case bindTransceiver:
			s.mu.Lock()
			s.conn = conn
			s.mu.Unlock()
			pdu{bindTransceiver | response, 0, head[3]}.write(conn, []byte("test\x00"))
		case submitSM:
			s.submit(conn, head[3], readSubmit(body))
		case enquireLink, unbind:
			pdu{head[1] | response, 0, head[3]}.write(conn, nil)
		}
	}
}

func (s *smsc) submit(conn net.Conn, sequence uint32, m Submitted) {
	s.mu.Lock()
	s.last++
	m.ID = fmt.Sprint(s.last)
	s.got = append(s.got, m)
	s.mu.Unlock()
	state := s.answer(m)
	if state == "" {
		pdu{submitSM | response, 0x45, sequence}.write(conn, nil) // ESME_RSUBMITFAIL
		return
	}
	pdu{submitSM | response, 0, sequence}.write(conn, []byte(m.ID+"\x00"))
	receipt := fmt.Sprintf("id:%s sub:001 dlvrd:001 submit date:2611221000 done date:2611221000 stat:%s err:000 text:", m.ID, state)
	var b bytes.Buffer
	b.WriteString("\x00\x01\x01" + m.To + "\x00\x05\x00" + m.From + "\x00")
	b.Write([]byte{0x04, 0, 0}) // a receipt
	b.WriteString("\x00\x00")
	b.Write([]byte{0, 0, 0, 0, byte(len(receipt))})
	b.WriteString(receipt)
	pdu{deliverSM, 0, 1000 + sequence}.write(conn, b.Bytes())
}

// pdu is the head of a packet.
type pdu struct{ command, status, sequence uint32 }

func (p pdu) write(w io.Writer, body []byte) {
	packet := binary.BigEndian.AppendUint32(nil, uint32(16+len(body)))
	for _, word := range []uint32{p.command, p.status, p.sequence} {
		packet = binary.BigEndian.AppendUint32(packet, word)
	}
	w.Write(append(packet, body...)) //nolint:errcheck // a gateway that is gone reads nothing
}

// readSubmit reads the body of submit_sm.
func readSubmit(body []byte) Submitted {
	r := bytes.NewBuffer(body)
	text := func() string {
		s, _ := r.ReadString(0) //nolint:errcheck // a short message fails the test by what it lacks
		return string(bytes.TrimSuffix([]byte(s), []byte{0}))
	}
	octet := func() byte { b, _ := r.ReadByte(); return b } //nolint:errcheck // as above
	m := Submitted{TLVs: map[uint16]string{}}
	text()               // service type
	r.Next(2)            // kind of the sender
	m.From = text()      //
	r.Next(2)            // kind of the recipient
	m.To = text()        //
	m.ESMClass = octet() //
	r.Next(2)            // protocol, priority
	text()               // schedule
	m.Validity = text()
	r.Next(2)       // receipt, replace
	m.DCS = octet() //
	octet()         // default message
	m.Text = bytes.Clone(r.Next(int(octet())))
	for r.Len() >= 4 {
		tag, size := binary.BigEndian.Uint16(r.Next(2)), binary.BigEndian.Uint16(r.Next(2))
		m.TLVs[tag] = string(r.Next(int(size)))
	}
	return m
}
