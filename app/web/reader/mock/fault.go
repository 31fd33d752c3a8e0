package mock

import (
	"crypto/rand"
	"fmt"
	"net"
	"time"

	"github.com/labstack/echo/v4"

	rules "heliograph/app/documentation/mock"
)

// timeoutFault is how long a client waits in vain at most.
const timeoutFault = 30 * time.Second

// fail ends a request with a failure of its connection.
func (h *Handler) fail(c echo.Context, response rules.Response) error {
	if response.Fault == rules.FaultTimeout {
		if h.waiting.Add(1) <= mostWaiting {
			sleep(c.Request().Context(), timeoutFault)
		}
		h.waiting.Add(-1)
	}
	c.Response().Status = response.Status // for the log
	conn, buffer, err := c.Response().Hijack()
	if err != nil {
		return fmt.Errorf("taking the connection over: %w", err)
	}
	c.Response().Committed = true
	defer conn.Close() //nolint:errcheck // the client gets no answer anyway
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return nil
	}
	switch response.Fault {
	case rules.FaultReset:
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // else it is closed without a reset
		}
	case rules.FaultMalformed:
		_, _ = buffer.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nno-length\r\n")
		_ = buffer.Flush() // the client may be gone
	case rules.FaultRandom:
		bytes := make([]byte, 128)
		_, _ = rand.Read(bytes) // never fails
		bytes[0] |= 0x80        // no HTTP begins like this
		_, _ = buffer.Write(bytes)
		_ = buffer.Flush() // the client may be gone
	}
	return nil
}
