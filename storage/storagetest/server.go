// Package storagetest tests both implementations of storage against one contract
// and provides stores for tests: a real S3 server, or a folder with a web server.
package storagetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"heliograph/app/porttest"
	"heliograph/storage"
)

const (
	buildTimeout = 10 * time.Minute
	startTimeout = 20 * time.Second
	startTries   = 3 // a free port may be taken before the server has it
)

// S3 returns options for an empty bucket, yet to be created, on a real S3
// server. That is the plain http server that STORAGE_TEST_ENDPOINT (host:port)
// names with STORAGE_TEST_ACCESS_KEY and STORAGE_TEST_SECRET_KEY, or else a
// versitygw on a loopback port for this test, built once per machine at the
// version of .tools/go.mod. Bucket and server are removed after the test. If the
// server cannot be built, the test is skipped, or fails if CI is set.
func S3(t testing.TB) storage.S3Options {
	t.Helper()
	o := storage.S3Options{
		Endpoint:     os.Getenv("STORAGE_TEST_ENDPOINT"),
		AccessKey:    os.Getenv("STORAGE_TEST_ACCESS_KEY"),
		SecretKey:    os.Getenv("STORAGE_TEST_SECRET_KEY"),
		Bucket:       "heliograph-test-" + randomID(),
		CreateBucket: true,
	}
	if o.Endpoint != "" {
		t.Cleanup(func() { removeBucket(t, o) })
		return o
	}
	binary, err := build()
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("no S3 server to test against: %v", err)
	}
	if err != nil {
		t.Fatalf("no S3 server to test against: %v", err)
	}
	o.AccessKey, o.SecretKey = rand.Text(), rand.Text()
	o.Endpoint = start(t, binary, o)
	return o
}

// Folder returns an empty folder store with URLs that work: a server on loopback
// verifies and serves them until the test ends.
func Folder(t testing.TB) *storage.Folder {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	key := []byte(rand.Text() + rand.Text())
	f, err := storage.OpenFolder(t.TempDir(), "http://"+server.Listener.Addr().String(), key)
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, err := f.Verify(r.URL, time.Now())
		if err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		file, err := storage.Open(r.Context(), f, key)
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		defer file.Close()
		w.Header().Set("Content-Type", file.ContentType)
		http.ServeContent(w, r, "", file.Modified, file)
	})
	server.Start()
	t.Cleanup(server.Close)
	return f
}

// build returns the path of the server's program in Go's build cache. Test
// packages run at the same time: a file lock lets the first build while the
// others wait.
var build = sync.OnceValues(func() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), buildTimeout)
	defer cancel()
	module, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("the go command is needed to build versitygw: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "heliograph")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	lock, err := os.Create(filepath.Join(cache, "versitygw.lock"))
	if err != nil {
		return "", err
	}
	defer lock.Close() // unlocks
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", err
	}
	root := filepath.Dir(strings.TrimSpace(string(module)))
	// With -n the go command builds the tool and prints where it is.
	cmd := exec.CommandContext(ctx, "go", "tool", "-n", "versitygw")
	cmd.Dir = filepath.Join(root, ".tools")
	path, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return "", fmt.Errorf("building versitygw: %w: %s", err, exit.Stderr)
	}
	return strings.TrimSpace(string(path)), err
})

// start runs the server on an empty directory until the test ends and returns
// its host:port.
func start(t testing.TB, binary string, o storage.S3Options) string {
	t.Helper()
	var output string
	for range startTries {
		endpoint := porttest.Free(t)
		var log bytes.Buffer
		cmd := exec.Command(binary, endpoint, t.TempDir(), t.TempDir())
		cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID="+o.AccessKey, "ROOT_SECRET_ACCESS_KEY="+o.SecretKey)
		cmd.Stdout, cmd.Stderr = &log, &log
		exited, err := run(cmd)
		if err != nil {
			t.Fatalf("starting versitygw: %v", err)
		}
		stop := func() { _ = cmd.Process.Kill(); <-exited }
		if healthy(endpoint, exited) {
			t.Cleanup(stop)
			return endpoint
		}
		stop()
		output = log.String()
	}
	t.Fatalf("versitygw did not start:\n%s", output)
	return ""
}

// run starts cmd and returns a channel that is closed once it has exited. The
// kernel ends the child with the thread that started it, so that thread is
// kept until then.
func run(cmd *exec.Cmd) (exited chan struct{}, err error) {
	dieWithParent(cmd)
	exited = make(chan struct{})
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // killed, or its log says why
		}
		close(exited)
	}()
	return exited, <-started
}

// healthy waits until the server answers; false if it exits or takes too long.
func healthy(endpoint string, exited chan struct{}) bool {
	deadline := time.After(startTimeout)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-exited:
			return false
		case <-deadline:
			return false
		case <-tick.C:
		}
		answer, err := http.Get("http://" + endpoint + "/health")
		if err != nil {
			continue
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return true
		}
	}
}

// removeBucket removes the bucket from a server that outlives the test.
func removeBucket(t testing.TB, o storage.S3Options) {
	client, err := minio.New(o.Endpoint, &minio.Options{Creds: credentials.NewStaticV4(o.AccessKey, o.SecretKey, "")})
	if err != nil {
		t.Error(err)
		return
	}
	ctx := context.Background()
	for result := range client.RemoveObjects(ctx, o.Bucket, client.ListObjects(ctx, o.Bucket, minio.ListObjectsOptions{Recursive: true}), minio.RemoveObjectsOptions{}) {
		t.Error(result.Err)
	}
	err = client.RemoveBucket(ctx, o.Bucket)
	if code := minio.ToErrorResponse(err).Code; err != nil && code != minio.NoSuchBucket && code != minio.BucketNotEmpty { // what is retained stays
		t.Error(err)
	}
}

// randomID returns a random id for a key or the name of a bucket.
func randomID() string { return strings.ToLower(rand.Text()) }
