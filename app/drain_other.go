//go:build !linux

package main

import "net"

// drainListener does nothing: only Linux can ignore new connections to a listener.
func drainListener(net.Listener) error { return nil }
