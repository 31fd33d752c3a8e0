//go:build linux && judge

package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"heliograph/app/porttest"
)

// The guide's own lines take a bot from its creation over the desk to what a
// person answers, in all three formats of events.
func TestGuideRCSFromNothing(t *testing.T) {
	t.Parallel()
	needPrograms(t, "python3", "curl", "sh")
	place, port := t.TempDir(), porttest.FreePort(t)
	a := sharedDev.at(t, place).access
	file := func(name string) string {
		text := fillGuide(t, a, "http://127.0.0.1:9000", guideFile(t, "rcs", "from-nothing", name))
		return strings.ReplaceAll(text, "9000", port)
	}
	if err := os.WriteFile(filepath.Join(place, "rcs.py"), []byte(file("rcs.py")), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-euc", file("from-nothing.sh"))
	cmd.Dir, cmd.WaitDelay = place, time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if bot, made := strings.CutPrefix(lines.Text(), "The bot is "); made {
			launchBot(t, a, bot)
			continue
		}
		got = append(got, lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the script ended with %v:\n%s\n%s", err, strings.Join(got, "\n"), errs.String())
	}
	want := []string{
		`"code":200`, `"verificationStatus":"PENDING"`, "DEFAULT BOT_STATUS LAUNCHED", `"status":"PENDING"`, "DEFAULT TEMPLATE_STATUS APPROVED",
		`"code":202`, "DEFAULT MESSAGE_STATUS READ",
	}
	for _, events := range [][]string{
		{"DEFAULT SUGGESTION coming", "DEFAULT USER_MESSAGE Thank you."}, {"GOOGLE_RBM coming", "GOOGLE_RBM Thank you."}, {"MAAP coming", "MAAP Thank you."},
	} {
		want = append(want, `"code":200`, `"code":202`, `"code":202`, events[0]+" signature good", events[1]+" signature good")
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !strings.Contains(got[i], want[i]) {
			t.Fatalf("line %d is not %q:\n%s", i+1, want[min(i, len(want)-1)], strings.Join(got, "\n"))
		}
	}
	heard, err := os.ReadFile(filepath.Join(place, "events.txt"))
	if err != nil || bytes.Contains(heard, []byte("wrong")) {
		t.Errorf("the receiver printed %s %v", heard, err)
	}
}

// launchBot has an administrator verify and launch a bot that was submitted.
func launchBot(t *testing.T, a access, bot string) {
	t.Helper()
	admin := newVisitor(t)
	admin.must("signing in", 303, admin.post(a.URL+"/admin/login", a.URL+"/admin/login", "email", a.Admin.Email, "password", a.Admin.Password))
	desk := a.URL + "/admin/bots/" + bot
	for _, move := range []string{"verify", "request_launch", "launch"} {
		admin.must(move, 303, admin.post(desk, desk+"/moves", "move", move))
	}
}
