package jobs

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

func TestTheLogHasWhatAnOperatorShouldSee(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(warnings{slog.NewTextHandler(&out, nil)}).With("from", "test")
	log.Info("a job was worked")
	log.Error("maintenance.Scheduler: Error starting transaction", "error", "beginning: context canceled")
	log.Error("maintenance.Scheduler: Error starting transaction", "error", errors.New("connection refused"))
	log.Error("jobexecutor.JobExecutor: Job errored", "error", context.Canceled)
	log.Warn("one to look at")
	if got := strings.Count(out.String(), "\n"); got != 3 {
		t.Errorf("%d lines were written, want 3:\n%s", got, out.String())
	}
	for _, want := range []string{"connection refused", "Job errored", "one to look at"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in:\n%s", want, out.String())
		}
	}
}
