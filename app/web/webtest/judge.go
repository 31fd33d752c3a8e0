package webtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"heliograph/views/browsertest"
)

// Judge returns the command of a Node program that .tools installs, or of a script in
// .tools/judges. It runs in a new folder, on the Node of .tools, because some programs
// need a newer one than Debian has. Without the programs the test is skipped, except
// in the gate.
func Judge(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	tools := filepath.Join(browsertest.Root(t), ".tools")
	bin := filepath.Join(tools, "node_modules/.bin")
	program := filepath.Join(bin, name)
	if filepath.Ext(name) == ".mjs" {
		program = filepath.Join(tools, "judges", name)
	}
	for _, needed := range []string{program, filepath.Join(bin, "node")} {
		if _, err := os.Stat(needed); err != nil && os.Getenv("CI") == "" {
			t.Skip("npm ci --prefix .tools installs " + name)
		}
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "node"), append([]string{program}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir)
	return cmd
}
