package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestLogIsHeldAndWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		held := &heldLines{out: &out}
		log := slog.New(urgent{slog.NewTextHandler(held, nil), held}).With("a", 1)
		written := func() string {
			held.mu.Lock()
			defer held.mu.Unlock()
			return out.String()
		}
		log.Info("first")
		if got := written(); got != "" {
			t.Errorf("written at once: %s", got)
		}
		time.Sleep(2 * heldTime) // of the bubble's own clock
		if got := written(); !strings.Contains(got, "first a=1") {
			t.Errorf("after its time the log is %q", got)
		}
		log.Info("second")
		log.Warn("third")
		if got := written(); !strings.Contains(got, "second") || !strings.Contains(got, "third") {
			t.Errorf("a warning waits: %q", got)
		}
		log.Info(strings.Repeat("x", heldBytes))
		if got := written(); !strings.Contains(got, "xxx") {
			t.Error("much is held back")
		}
	})
}

func TestLogKeepsEveryLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	held := &heldLines{out: &out}
	log := slog.New(urgent{slog.NewTextHandler(held, nil), held})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 500 {
				log.Info(fmt.Sprintf("line %d.", i*500+j))
			}
		})
	}
	all.Wait()
	held.flush()
	held.mu.Lock()
	defer held.mu.Unlock()
	if n := strings.Count(out.String(), "\n"); n != 4000 {
		t.Errorf("%d lines of 4000 were written", n)
	}
	for i := range 4000 {
		if !strings.Contains(out.String(), fmt.Sprintf("\"line %d.\"", i)) {
			t.Fatalf("line %d is missing or cut", i)
		}
	}
}
