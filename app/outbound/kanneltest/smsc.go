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
	State         string // that the operator answers and reports
	connection    int    // that it came over, from 1
	place         int    // within its connection, from 1
}

// window is how many messages the gateway has under way without a response.
const window = 10

// smsc is an SMPP 3.4 message centre for one gateway. It takes every message and
// sends a receipt with the state that answer gives it; an empty state refuses the
// message, and Busy puts it off.
type smsc struct {
	listener net.Listener
	answer   func(Submitted) (state string)

	mu       sync.Mutex
	conn     net.Conn    // the last one that was bound
	bound    int         // connections so far
	ended    map[int]int // how many messages came over the connections that have ended
	stalled  int         // the connection that is not answered
	away     bool        // connections are ended at once
	refusing bool        // logins are refused
	got      []Submitted
	last     uint32
	receipts map[uint32][]byte // that the gateway has not taken, by sequence
}

func startSMSC(t testing.TB, answer func(Submitted) string) *smsc {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &smsc{listener: listener, answer: answer, ended: map[int]int{}, receipts: map[uint32][]byte{}}
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
	connection, count := 0, 0
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended[connection] = count
	}()
	for {
		var head [4]uint32
		if err := binary.Read(conn, binary.BigEndian, &head); err != nil {
			return
		}
		body := make([]byte, head[0]-16)
		if _, err := io.ReadFull(conn, body); err != nil {
			return
		}
		if s.isStalled(connection) && head[1] != submitSM {
			continue
		}
		switch head[1] {
		case bindTransceiver:
			if s.turnAway(conn, head[3]) {
				return
			}
			connection = s.bind(conn, head[3])
		case submitSM:
			count++
			m := readSubmit(body)
			m.connection, m.place = connection, count
			s.submit(conn, head[3], m)
		case deliverSM | response:
			s.mu.Lock()
			delete(s.receipts, head[3])
			s.mu.Unlock()
		case enquireLink, unbind:
			pdu{head[1] | response, 0, head[3]}.write(conn, nil)
		}
	}
}

// turnAway reports whether a connection does not come about, and refuses its login if
// it is to know.
func (s *smsc) turnAway(conn net.Conn, sequence uint32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refusing {
		pdu{bindTransceiver | response, 0x0e, sequence}.write(conn, nil) // ESME_RINVPASWD
	}
	return s.away || s.refusing
}

// bind begins a connection, with the receipts that the one before did not take.
func (s *smsc) bind(conn net.Conn, sequence uint32) (connection int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn = conn
	s.bound++
	pdu{bindTransceiver | response, 0, sequence}.write(conn, []byte("test\x00"))
	for sequence, receipt := range s.receipts {
		pdu{deliverSM, 0, sequence}.write(conn, receipt)
	}
	return s.bound
}

// isStalled reports whether a connection is not answered.
func (s *smsc) isStalled(connection int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return connection > 0 && s.stalled == connection
}

// submit takes a message. On a connection that is not answered its receipt follows on
// the next one.
func (s *smsc) submit(conn net.Conn, sequence uint32, m Submitted) {
	m.State = s.answer(m)
	s.mu.Lock()
	defer s.mu.Unlock()
	var to io.Writer = conn
	if s.stalled == m.connection {
		to = io.Discard
	}
	if m.State == Busy {
		pdu{submitSM | response, 0x14, sequence}.write(to, nil) // ESME_RMSGQFUL
		return
	}
	s.last++
	m.ID = fmt.Sprint(s.last)
	s.got = append(s.got, m)
	if m.State == "" {
		pdu{submitSM | response, 0x45, sequence}.write(to, nil) // ESME_RSUBMITFAIL
		return
	}
	pdu{submitSM | response, 0, sequence}.write(to, []byte(m.ID+"\x00"))
	receipt := fmt.Sprintf("id:%s sub:001 dlvrd:001 submit date:2611221000 done date:2611221000 stat:%s err:000 text:", m.ID, m.State)
	var b bytes.Buffer
	b.WriteString("\x00\x01\x01" + m.To + "\x00\x05\x00" + m.From + "\x00")
	b.Write([]byte{0x04, 0, 0}) // a receipt
	b.WriteString("\x00\x00")
	b.Write([]byte{0, 0, 0, 0, byte(len(receipt))})
	b.WriteString(receipt)
	s.receipts[receiptBase+s.last] = b.Bytes()
	pdu{deliverSM, 0, receiptBase + s.last}.write(to, b.Bytes())
}

// receiptBase is the lowest sequence of receipts, above the sequences of delivered messages.
const receiptBase = 1_000_000

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
