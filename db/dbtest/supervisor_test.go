package dbtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The cluster is in memory where there is enough, and where a run asks for a cluster
// of its own, it gets one.
func TestBaseFolder(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "")
	shared, err := baseFolder()
	if err != nil {
		t.Fatal(err)
	}
	if inMemory := strings.HasPrefix(shared, memory+"/"); inMemory != (free(memory) >= roomy) {
		t.Errorf("with %d bytes free in memory the cluster is in %s", free(memory), shared)
	}
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	if own, err := baseFolder(); own != filepath.Join(cache, "heliograph", "dbtest") || err != nil {
		t.Errorf("a run with a cache of its own has its cluster in %s, %v", own, err)
	}
	if free(filepath.Join(cache, "none")) != 0 {
		t.Error("a folder that does not exist has room")
	}
	ours := filepath.Join(cache, "ours")
	if err := os.Mkdir(ours, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := ownFolder(ours); err == nil {
		t.Error("a folder that others can read is taken")
	}
}
