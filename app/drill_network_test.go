//go:build drill && linux

package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// inNetwork marks the process of a drill that has a network of its own.
const inNetwork = "HELIOGRAPH_DRILL_NETWORK"

// withNetwork runs a drill in a process with a network of its own, which has loopback and
// some addresses and leads nowhere.
func withNetwork(t *testing.T, addresses []string, drill func(t *testing.T)) {
	t.Helper()
	if os.Getenv(inNetwork) != "" {
		setUp := [][]string{{"link", "set", "lo", "up"}}
		for _, address := range addresses {
			setUp = append(setUp, []string{"address", "add", address + "/32", "dev", "lo"})
		}
		for _, args := range setUp {
			if out, err := exec.CommandContext(t.Context(), "ip", args...).CombinedOutput(); err != nil {
				t.Fatalf("ip %v: %v: %s", args, err, out)
			}
		}
		drill(t)
		return
	}
	needPrograms(t, "ip")
	if os.Getuid() != 0 {
		t.Skip("a network of its own, in which PostgreSQL runs as another user, needs root")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v") //nolint:gosec // it is this program
	cmd.Env = append(os.Environ(), inNetwork+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
