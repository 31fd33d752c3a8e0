//go:build judge

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"heliograph/app/porttest"

	"github.com/google/go-cmp/cmp"
)

// The guide's afternoon in the sandbox goes as it says, in what it prints and in
// what a receiver prints.
func TestGuideAfternoon(t *testing.T) {
	t.Parallel()
	needPrograms(t, "python3", "curl", "sh")
	place := t.TempDir()
	a := sharedDev.at(t, place).access
	port := porttest.FreePort(t)
	heard := runReceiver(t, place, port)
	script := fillGuide(t, a, "", guideFile(t, "business-messaging", "afternoon", "afternoon.sh"))
	hook := strings.Split(block(t, "sh"), "\n\n")[:2] // sets the webhook, and sends nothing yet
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-euc", strings.Replace(strings.Join(hook, "\n"), "9000", port, 1)+"\necho\n"+script)
	cmd.Dir = place
	cmd.WaitDelay = time.Second
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the afternoon ended with %v:\n%s%s", err, out, errs.String())
	}
	checkAfternoon(t, string(out))
	want := strings.Fields("APPROVED captured delivered delivered delivered pending read read read sent sent sent")
	if diff := cmp.Diff(want, heard(len(want))); diff != "" {
		t.Errorf("the receiver printed (-want +got):\n%s", diff)
	}
}

// checkAfternoon looks at what the script printed, line by line.
func checkAfternoon(t *testing.T, out string) {
	t.Helper()
	want := []string{
		`"code":"200"`, `"status":"PENDING","category":"UTILITY"`, `"message_status":"accepted"`, `"deep_link_url":"`, "SCANNED", `"message_status":"accepted"`,
		`"message_status":"accepted"`, `"status":"CAPTURED"`, `"handles":[`, `"name":"Wick","price":"₹5.00"`, `"handles":[`, `"total_count":0`,
	}
	got := strings.Split(strings.TrimSpace(out), "\n")
	if _, err := exec.LookPath("zbarimg"); err != nil {
		want = slices.Delete(want, 4, 5)
	} else {
		var code struct {
			Link string `json:"deep_link_url"`
		}
		if err := json.Unmarshal([]byte(got[3]), &code); err != nil {
			t.Fatalf("%v: %s", err, got[3])
		}
		want[4] = code.Link
	}
	if len(got) != len(want) {
		t.Fatalf("the afternoon printed %d lines, want %d:\n%s", len(got), len(want), out)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("line %d is %s, want %s in it", i+1, got[i], want[i])
		}
	}
}
