package main

import (
	"io"
	"net"
	"testing"
	"time"
)

// A connection that the kernel has completed is accepted with what was sent on it, the
// listener is drained then, and a new connection is not completed.
func TestDrainListener(t *testing.T) {
	t.Parallel()
	listener, err := listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	before, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	drained := make(chan error, 1)
	began := time.Now()
	go func() { drained <- drainListener(listener) }()
	time.Sleep(5 * drainStep)
	if late, err := net.DialTimeout("tcp", listener.Addr().String(), 10*drainStep); err == nil {
		late.Close()
		t.Error("a new connection was completed")
	}
	if _, err := io.WriteString(before, "hello"); err != nil {
		t.Fatal(err)
	}
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	if err := <-drained; err != nil || time.Since(began) < 5*drainStep {
		t.Errorf("drained after %v, %v", time.Since(began), err)
	}
	said := make([]byte, 5)
	if _, err := io.ReadFull(accepted, said); err != nil || string(said) != "hello" {
		t.Errorf("%q came on the first connection, %v", said, err)
	}
}
