package storage_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"heliograph/storage"
	"heliograph/storage/storagetest"
)

// A Put needs no disk: it works where no temporary file can be made.
func TestS3PutNeedsNoTemporaryFolder(t *testing.T) {
	s := openS3(t)
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	for _, size := range []int{1 << 10, 10 << 20, 22<<20 + 1} {
		body := make([]byte, size)
		rand.NewChaCha8([32]byte{}).Read(body)
		key := storage.MediaKey("1")
		if _, err := s.Put(t.Context(), key, bytes.NewReader(body), storage.PutOptions{}); err != nil {
			t.Fatal(err)
		}
		stored, _, err := s.Get(t.Context(), key, storage.Range{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(stored)
		if err != nil || !bytes.Equal(got, body) {
			t.Errorf("%d of %d bytes come back, the same: %t, %v", len(got), size, bytes.Equal(got, body), err)
		}
		stored.Close()
	}
}

// More large bodies at once than parts may be sent ahead come out as they went in.
func TestS3PutsManyLargeBodiesAtOnce(t *testing.T) {
	t.Parallel()
	s := openS3(t)
	var putting sync.WaitGroup
	for i := range 6 {
		putting.Go(func() {
			key, seed := storage.MediaKey(strconv.Itoa(i)), [32]byte{byte(i)}
			const size = 16 << 20
			object, err := s.Put(t.Context(), key, io.LimitReader(rand.NewChaCha8(seed), size), storage.PutOptions{Size: size})
			if err != nil {
				t.Error(err)
				return
			}
			stored, _, err := s.Get(t.Context(), key, storage.Range{})
			if err != nil {
				t.Error(err)
				return
			}
			defer stored.Close()
			hash := sha256.New()
			if n, err := io.Copy(hash, stored); n != size || err != nil || hex.EncodeToString(hash.Sum(nil)) != object.SHA256 {
				t.Errorf("%d bytes of object %d come back with another hash or %v", n, i, err)
			}
		})
	}
	putting.Wait()
}

// A part that the server refuses ends the Put; the rest of the body is not read.
func TestS3PutStopsAtARefusedPart(t *testing.T) {
	t.Parallel()
	o := storagetest.S3(t)
	var refused atomic.Int32
	upstream := proxyTo(o.Endpoint)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("partNumber") == "2" {
			refused.Add(1)
			_, _ = io.Copy(io.Discard, r.Body) // a server that resets the connection is asked again
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>`)
			return
		}
		upstream.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	o.Endpoint = proxy.Listener.Addr().String()
	s, err := storage.OpenS3(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	body := &io.LimitedReader{R: rand.NewChaCha8([32]byte{}), N: 200 << 20}
	if _, err := s.Put(t.Context(), storage.MediaKey("1"), body, storage.PutOptions{Limit: 300 << 20}); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("Put of a refused part: %v, want what the server said", err)
	}
	if refused.Load() == 0 || body.N == 0 {
		t.Errorf("%d parts were refused, %d bytes of the body were left", refused.Load(), body.N)
	}
}

// A server may answer before it has read the body, and read on. The client then still
// sends from the memory of the part, which is not used again before.
func TestS3PutAnsweredBeforeItsBodyIsRead(t *testing.T) {
	t.Parallel()
	o := storagetest.S3(t)
	upstream := proxyTo(o.Endpoint)
	var early atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut || r.ContentLength < 1<<20 {
			upstream.ServeHTTP(w, r)
			return
		}
		early.Add(1)
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(http.StatusForbidden)
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		io.Copy(io.Discard, r.Body) //nolint:errcheck // the client may give up
	}))
	t.Cleanup(proxy.Close)
	o.Endpoint = proxy.Listener.Addr().String()
	s, err := storage.OpenS3(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{4 << 20, 20 << 20} {
		body := io.LimitReader(rand.NewChaCha8([32]byte{}), size)
		if _, err := s.Put(t.Context(), storage.MediaKey("1"), body, storage.PutOptions{Size: size}); err == nil {
			t.Errorf("a refused Put of %d bytes succeeds", size)
		}
	}
	if early.Load() < 2 {
		t.Errorf("%d requests were answered early, want one for each Put", early.Load())
	}
}

func TestS3LeavesNothingOfAFailedPut(t *testing.T) {
	t.Parallel()
	leaveNothing(t)
}

// leaveNothing checks that what a Put has sent is removed if it fails, and swept if its
// process died, and nothing else.
func leaveNothing(t *testing.T) {
	t.Helper()
	o := storagetest.S3(t)
	s, err := storage.OpenS3(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	core, err := minio.NewCore(o.Endpoint, &minio.Options{Creds: credentials.NewStaticV4(o.AccessKey, o.SecretKey, "")})
	if err != nil {
		t.Fatal(err)
	}
	left := func() (names []string) {
		for info := range core.Client.ListObjectsIter(t.Context(), o.Bucket, minio.ListObjectsOptions{Recursive: true}) {
			if info.Err != nil {
				t.Fatal(info.Err)
			}
			names = append(names, info.Key)
		}
		page, err := core.ListMultipartUploads(t.Context(), o.Bucket, "", "", "", "", 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range page.Uploads {
			names = append(names, u.Key+" (unfinished)")
		}
		return names
	}
	broken := io.MultiReader(bytes.NewReader(make([]byte, 7<<20)), iotest.ErrReader(errors.New("the line went dead")))
	if _, err := s.Put(t.Context(), storage.MediaKey("1"), broken, storage.PutOptions{}); err == nil {
		t.Error("a broken body is stored")
	}
	if names := left(); len(names) > 0 {
		t.Errorf("a failed Put leaves %v", names)
	}
	if _, err := s.Put(t.Context(), storage.MediaKey("1"), bytes.NewReader(make([]byte, 7<<20)), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if names := left(); len(names) != 1 {
		t.Errorf("a Put in parts leaves %v, want the object alone", names)
	}
	for _, key := range []string{"arriving/unfinished", "another/unfinished"} {
		if _, err := core.NewMultipartUpload(t.Context(), o.Bucket, key, minio.PutObjectOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := core.Client.PutObject(t.Context(), o.Bucket, "arriving/unnamed", bytes.NewReader([]byte("x")), 1, minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, sweep := range []struct {
		age  time.Duration
		left int
	}{{time.Hour, 4}, {-time.Minute, 2}} {
		if err := s.Sweep(t.Context(), sweep.age); err != nil {
			t.Fatal(err)
		}
		if names := left(); len(names) != sweep.left {
			t.Errorf("after sweeping what is older than %s: %v, want %d names", sweep.age, names, sweep.left)
		}
	}
}
