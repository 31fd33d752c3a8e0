package main

import (
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

const (
	tcpFlags = 13   // where a segment of TCP has its flags
	tcpSYN   = 0x02 // of a segment that begins a connection, if it has no ACK
	tcpACK   = 0x10

	// drainStep is longer than a connection takes to be completed, and drainSteps how
	// often it is waited for.
	drainStep  = 20 * time.Millisecond
	drainSteps = 50
)

// drainListener waits until every connection that the kernel has completed is accepted,
// and has it ignore new ones meanwhile. What is not accepted when a listener is closed
// is reset, with the requests that clients have sent on it. A client that is ignored
// asks again a second later and is refused then.
func drainListener(listener net.Listener) error {
	tcp, ok := listener.(*net.TCPListener)
	if !ok {
		return fmt.Errorf("%T is no listener of TCP", listener)
	}
	conn, err := tcp.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := conn.Control(func(fd uintptr) { failed = ignoreConnections(int(fd)) }); err != nil || failed != nil {
		return fmt.Errorf("ignoring new connections: %w", errors.Join(failed, err))
	}
	for range drainSteps {
		time.Sleep(drainStep)
		waiting := uint32(0)
		err := conn.Control(func(fd uintptr) {
			var info *unix.TCPInfo
			if info, failed = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); failed == nil {
				waiting = info.Unacked // of a listener, those to be accepted
			}
		})
		if err != nil || failed != nil {
			return fmt.Errorf("counting connections: %w", errors.Join(failed, err))
		}
		if waiting == 0 {
			break
		}
	}
	return nil
}

// ignoreConnections drops the segments that begin a connection to a socket.
func ignoreConnections(socket int) error {
	program, err := bpf.Assemble([]bpf.Instruction{
		bpf.LoadAbsolute{Off: tcpFlags, Size: 1},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: tcpSYN | tcpACK},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: tcpSYN, SkipFalse: 1},
		bpf.RetConstant{Val: 0},
		bpf.RetConstant{Val: 1<<32 - 1},
	})
	if err != nil {
		return err
	}
	filters := make([]unix.SockFilter, len(program))
	for i, in := range program {
		filters[i] = unix.SockFilter{Code: in.Op, Jt: in.Jt, Jf: in.Jf, K: in.K}
	}
	return unix.SetsockoptSockFprog(socket, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(filters)), Filter: &filters[0]})
}
