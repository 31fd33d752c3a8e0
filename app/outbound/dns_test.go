package outbound

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// answers gives the addresses of a name at its nth look-up, counted from 1.
// None means that the name does not exist.
type answers func(name string, n int) []netip.Addr

// always answers every look-up of every name alike.
func always(addrs ...string) answers {
	return func(string, int) []netip.Addr {
		var out []netip.Addr
		for _, a := range addrs {
			out = append(out, netip.MustParseAddr(a))
		}
		return out
	}
}

// fakeDNS is a resolver with a name server that lives in this process.
func fakeDNS(t testing.TB, a answers) *net.Resolver {
	t.Helper()
	s := &nameServer{t: t, answers: a, seen: map[dnsmessage.Question]int{}}
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go s.serve(server)
		return client, nil
	}}
}

type nameServer struct {
	t       testing.TB
	answers answers
	mu      sync.Mutex
	seen    map[dnsmessage.Question]int
}

// serve answers the queries of one connection, framed as DNS over TCP.
func (s *nameServer) serve(c net.Conn) {
	defer c.Close()
	for {
		var size uint16
		if binary.Read(c, binary.BigEndian, &size) != nil {
			return
		}
		query := make([]byte, size)
		if _, err := io.ReadFull(c, query); err != nil {
			return
		}
		reply, err := s.reply(query)
		if err != nil {
			s.t.Errorf("answering a DNS query: %v", err)
			return
		}
		c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...))
	}
}

func (s *nameServer) reply(query []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil, err
	}
	q := m.Questions[0]
	s.mu.Lock()
	s.seen[q]++
	n := s.seen[q]
	s.mu.Unlock()

	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	addrs := s.answers(q.Name.String(), n)
	if len(addrs) == 0 {
		m.RCode = dnsmessage.RCodeNameError
	}
	head := dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET}
	for _, a := range addrs {
		switch {
		case a.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AResource{A: a.As4()}})
		case a.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
		}
	}
	return m.Pack()
}
