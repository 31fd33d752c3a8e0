package storage_test

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
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
	for _, size := range []int{1 << 10, 12 << 20} {
		body := bytes.Repeat([]byte("x"), size)
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
			t.Errorf("%d of %d bytes come back: %v", len(got), size, err)
		}
		stored.Close()
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
