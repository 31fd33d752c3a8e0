package storagetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/fault"
	"heliograph/storage"
)

// Run tests a store against the contract of storage.Store. Its subtests share one
// store and use random keys.
func Run(t *testing.T, open func(t *testing.T) storage.Store) {
	store := open(t)
	for _, c := range []struct {
		name string
		test func(t *testing.T, s storage.Store)
	}{
		{"RoundTrip", testRoundTrip},
		{"Ranges", testRanges},
		{"Overwrite", testOverwrite},
		{"ConcurrentPuts", testConcurrentPuts},
		{"ContentType", testContentType},
		{"Missing", testMissing},
		{"Delete", testDelete},
		{"HostileKeys", testHostileKeys},
		{"FailingBody", testFailingBody},
		{"Limits", testLimits},
		{"Cancelled", testCancelled},
		{"List", testList},
		{"Retain", testRetain},
		{"URL", testURL},
		{"Open", testOpen},
		{"Ping", testPing},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t, store)
		})
	}
}

func testRoundTrip(t *testing.T, s storage.Store) {
	for _, size := range []int{0, 1, 5 << 20, 5<<20 + 1, 11 << 20} {
		body := randomBytes(size)
		for _, announced := range []int64{0, int64(size)} {
			key := storage.MediaKey(randomID())
			want := storage.Object{Key: key, Size: int64(size), ContentType: "image/png", SHA256: sum(body)}
			got, err := s.Put(t.Context(), key, bytes.NewReader(body), storage.PutOptions{ContentType: "image/png", Size: announced})
			if err != nil {
				t.Fatalf("Put of %d bytes: %v", size, err)
			}
			diff(t, "Put", want, got)

			got, err = s.Stat(t.Context(), key)
			if err != nil {
				t.Fatalf("Stat of %d bytes: %v", size, err)
			}
			if age := time.Since(got.Modified); age < -time.Minute || age > time.Minute || got.Modified.Location() != time.UTC {
				t.Errorf("Stat: modified %v, want now in UTC", got.Modified)
			}
			want.Modified = got.Modified
			diff(t, "Stat", want, got)

			kept, got := get(t, s, key, storage.Range{})
			diff(t, "Get", want, got)
			if !bytes.Equal(kept, body) {
				t.Errorf("Get of %d bytes gave %d others", size, len(kept))
			}
		}
	}
}

func testRanges(t *testing.T, s storage.Store) {
	body := randomBytes(1000)
	key, empty := put(t, s, body), put(t, s, nil)
	for _, c := range []struct {
		name           string
		offset, length int64
		want           []byte
	}{
		{"first", 0, 1, body[:1]},
		{"middle", 400, 100, body[400:500]},
		{"last", 999, 1, body[999:]},
		{"open-ended", 990, 0, body[990:]},
		{"whole", 0, 1000, body},
		{"cut at the end", 990, 100, body[990:]},
	} {
		got, o := get(t, s, key, storage.Range{Offset: c.offset, Length: c.length})
		if !bytes.Equal(got, c.want) {
			t.Errorf("%s: %d bytes that are not the range", c.name, len(got))
		}
		if o.Size != 1000 || o.SHA256 != sum(body) {
			t.Errorf("%s: the object tells %d bytes, hash %s", c.name, o.Size, o.SHA256)
		}
	}
	for _, r := range []storage.Range{{Offset: 1000}, {Offset: 5000, Length: 1}, {Offset: -1}, {Length: -1}} {
		_, _, err := s.Get(t.Context(), key, r)
		wantKind(t, "Get outside", err, fault.Invalid)
	}
	if got, o := get(t, s, empty, storage.Range{Length: 10}); len(got) != 0 || o.Size != 0 {
		t.Errorf("the start of an empty object: %d bytes of %d", len(got), o.Size)
	}
	_, _, err := s.Get(t.Context(), empty, storage.Range{Offset: 1})
	wantKind(t, "Get past an empty object", err, fault.Invalid)
}

func testOverwrite(t *testing.T, s storage.Store) {
	key := put(t, s, randomBytes(5000))
	body := []byte("shorter, and of another type")
	if _, err := s.Put(t.Context(), key, bytes.NewReader(body), storage.PutOptions{ContentType: "text/plain"}); err != nil {
		t.Fatal(err)
	}
	got, o := get(t, s, key, storage.Range{})
	if !bytes.Equal(got, body) || o.ContentType != "text/plain" || o.SHA256 != sum(body) || o.Size != int64(len(body)) {
		t.Errorf("after an overwrite: %q, %+v", got, o)
	}
}

// testConcurrentPuts reads while others write: whoever wins, the bytes and the
// hash beside them belong together.
func testConcurrentPuts(t *testing.T, s storage.Store) {
	key := put(t, s, randomBytes(100_000))
	var wg sync.WaitGroup
	for i := range 8 {
		body := randomBytes(50_000 + 10_000*i)
		wg.Go(func() {
			if _, err := s.Put(t.Context(), key, bytes.NewReader(body), storage.PutOptions{}); err != nil {
				t.Errorf("Put: %v", err)
			}
		})
		wg.Go(func() {
			r, o, err := s.Get(t.Context(), key, storage.Range{})
			if err != nil {
				t.Errorf("Get: %v", err)
				return
			}
			defer r.Close()
			if b, err := io.ReadAll(r); err != nil || sum(b) != o.SHA256 {
				t.Errorf("read %d of %d bytes that do not have their hash, error %v", len(b), o.Size, err)
			}
		})
	}
	wg.Wait()
	if b, o := get(t, s, key, storage.Range{}); sum(b) != o.SHA256 {
		t.Error("the last object does not have its hash")
	}
}

func testContentType(t *testing.T, s storage.Store) {
	for given, want := range map[string]string{
		"":                          "application/octet-stream",
		"text/plain; charset=utf-8": "text/plain; charset=utf-8",
		"audio/ogg; codecs=opus":    "audio/ogg; codecs=opus",
	} {
		key := storage.UploadKey(randomID())
		if _, err := s.Put(t.Context(), key, bytes.NewReader([]byte("x")), storage.PutOptions{ContentType: given}); err != nil {
			t.Fatal(err)
		}
		if o, err := s.Stat(t.Context(), key); err != nil || o.ContentType != want {
			t.Errorf("content type %q is kept as %q, want %q (error %v)", given, o.ContentType, want, err)
		}
	}
	for _, bad := range []string{"image png", "text/plain\r\nX-Other: 1", "text/", "/"} {
		_, err := s.Put(t.Context(), storage.UploadKey(randomID()), bytes.NewReader(nil), storage.PutOptions{ContentType: bad})
		wantKind(t, "Put as "+bad, err, fault.Invalid)
	}
}

func testMissing(t *testing.T, s storage.Store) {
	key := storage.UploadKey(randomID())
	wantMissing(t, s, key)
	_, _, err := s.Get(t.Context(), key, storage.Range{Offset: 5, Length: 5})
	wantKind(t, "Get of a range", err, fault.NotFound)
	if err := s.Delete(t.Context(), key); err != nil {
		t.Errorf("Delete of a missing object: %v", err)
	}
}

func testDelete(t *testing.T, s storage.Store) {
	key, other := put(t, s, []byte("one")), put(t, s, []byte("two"))
	if err := s.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	wantMissing(t, s, key)
	if b, _ := get(t, s, other, storage.Range{}); string(b) != "two" {
		t.Errorf("another object after Delete: %q", b)
	}
}

func testOpen(t *testing.T, s storage.Store) {
	body := randomBytes(60)
	key := put(t, s, body)
	file, err := storage.Open(t.Context(), s, key)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := iotest.TestReader(file, body); err != nil {
		t.Error(err)
	}
	if _, err := s.Put(t.Context(), key, bytes.NewReader(randomBytes(60)), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Seek(10, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	_, err = file.Read(make([]byte, 1))
	wantKind(t, "Read of a replaced object", err, fault.Conflict)
	_, err = storage.Open(t.Context(), s, storage.MediaKey(randomID()))
	wantKind(t, "Open of a missing object", err, fault.NotFound)
}

func testPing(t *testing.T, s storage.Store) {
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("Ping: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Ping(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Ping with a cancelled context: %v", err)
	}
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func put(t *testing.T, s storage.Store, body []byte) storage.Key {
	t.Helper()
	key := storage.MediaKey(randomID())
	if _, err := s.Put(t.Context(), key, bytes.NewReader(body), storage.PutOptions{}); err != nil {
		t.Fatalf("Put: %v", err)
	}
	return key
}

func get(t *testing.T, s storage.Store, key storage.Key, r storage.Range) ([]byte, storage.Object) {
	t.Helper()
	body, o, err := s.Get(t.Context(), key, r)
	if err != nil {
		t.Fatalf("Get: %v", err)
	}
	defer body.Close()
	b, err := io.ReadAll(body)
	if err != nil {
		t.Fatalf("reading an object: %v", err)
	}
	return b, o
}

func diff(t *testing.T, doing string, want, got storage.Object) {
	t.Helper()
	if d := cmp.Diff(want, got, cmp.AllowUnexported(storage.Key{})); d != "" {
		t.Errorf("%s (-want +got):\n%s", doing, d)
	}
}

func wantKind(t *testing.T, doing string, err error, kind fault.Kind) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Errorf("%s: error %v, want a fault of kind %d", doing, err, kind)
	}
}

func wantMissing(t *testing.T, s storage.Store, key storage.Key) {
	t.Helper()
	_, err := s.Stat(t.Context(), key)
	wantKind(t, "Stat", err, fault.NotFound)
	_, _, err = s.Get(t.Context(), key, storage.Range{})
	wantKind(t, "Get", err, fault.NotFound)
}
