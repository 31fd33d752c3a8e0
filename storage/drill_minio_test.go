//go:build drill && linux

package storage_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"heliograph/app/porttest"
	"heliograph/storage"
	"heliograph/storage/storagetest"
)

// minioVersion is what the drill builds. MinIO is not in any go.mod of ours: it would
// bring hundreds of modules.
const minioVersion = "github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c"

// TestMinIODrill holds S3 to the contract on MinIO, which it builds from its module. The
// first build takes minutes; Go's cache keeps its parts.
//
//	go test -tags drill -run MinIODrill -timeout 40m -v ./storage
func TestMinIODrill(t *testing.T) {
	folder := t.TempDir()
	began := time.Now()
	build := exec.CommandContext(t.Context(), "go", "install", minioVersion)
	build.Dir = folder // of no module
	build.Env = append(os.Environ(), "GOBIN="+folder, "GOFLAGS=-mod=mod", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building MinIO: %v\n%s", err, out)
	}
	t.Logf("built in %v", time.Since(began).Round(time.Second))
	startMinIO(t, filepath.Join(folder, "minio"))
	storagetest.Run(t, func(t *testing.T) storage.Store { return openS3(t) })
	t.Run("leaves nothing of a failed Put", leaveNothing)
}

// startMinIO runs a server until the test ends and names it to openS3.
func startMinIO(t *testing.T, program string) {
	t.Helper()
	address := porttest.Free(t)
	t.Setenv("STORAGE_TEST_ENDPOINT", address)
	t.Setenv("STORAGE_TEST_ACCESS_KEY", rand.Text())
	t.Setenv("STORAGE_TEST_SECRET_KEY", rand.Text())
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := exec.CommandContext(ctx, program, "server", "--quiet", "--address", address, "--console-address", "127.0.0.1:0", t.TempDir())
	cmd.Env = append(os.Environ(), "MINIO_ROOT_USER="+os.Getenv("STORAGE_TEST_ACCESS_KEY"), "MINIO_ROOT_PASSWORD="+os.Getenv("STORAGE_TEST_SECRET_KEY"))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // told to end
		if t.Failed() {
			t.Logf("MinIO says %s", &log)
		}
	})
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if answer, err := http.Get("http://" + address + "/minio/health/live"); err == nil { //nolint:noctx // of this machine
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(end) {
			t.Fatal("MinIO does not start")
		}
	}
}
