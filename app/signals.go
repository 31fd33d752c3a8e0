package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// untilStopped returns a context that ends when the process receives a stop signal.
// The first signal lets commands finish what they have; a second one ends the
// process at once.
func untilStopped() context.Context {
	ctx, stop := context.WithCancel(context.Background())
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup asks for
		signal.Notify(heard, syscall.SIGHUP)
	}
	go func() {
		<-heard
		stop()
		<-heard
		os.Exit(130)
	}()
	if parent := os.Getppid(); startedByGo(parent) {
		go stopWithParent(parent, stop)
	}
	return ctx
}

// startedByGo reports whether `go run` started us. It passes Ctrl-C on, but
// when it is killed itself it leaves its program behind.
func startedByGo(parent int) bool {
	program, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", parent))
	return err == nil && filepath.Base(program) == "go"
}

func stopWithParent(parent int, stop context.CancelFunc) {
	for os.Getppid() == parent {
		time.Sleep(200 * time.Millisecond)
	}
	stop()
}
