package storagetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"heliograph/storage"
)

// testList keeps more objects than S3 gives in one answer.
func testList(t *testing.T, s storage.Store) {
	const objects, writers = 1100, 16
	id := randomID()
	var want []string
	for i := range objects {
		want = append(want, storage.MediaKey(fmt.Sprintf("%s-%04d", id, i)).String())
	}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := w; i < objects; i += writers {
				key := storage.MediaKey(fmt.Sprintf("%s-%04d", id, i))
				if _, err := s.Put(t.Context(), key, strings.NewReader(strings.Repeat("x", i)), storage.PutOptions{}); err != nil {
					t.Errorf("Put: %v", err)
				}
			}
		})
	}
	other := storage.UploadKey(id)
	wg.Go(func() {
		if _, err := s.Put(t.Context(), other, strings.NewReader("x"), storage.PutOptions{}); err != nil {
			t.Errorf("Put: %v", err)
		}
	})
	wg.Wait()

	if d := cmp.Diff(want, list(t, s, "media/"+id)); d != "" {
		t.Errorf("all pages (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want[1000:], list(t, s, "media/"+id+"-1")); d != "" {
		t.Errorf("the second thousand (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{other.String()}, list(t, s, "uploads/"+id)); d != "" {
		t.Errorf("another kind (-want +got):\n%s", d)
	}
	if got := list(t, s, "media/"+id+"-2"); got != nil {
		t.Errorf("a prefix of nothing: %v", got)
	}
	// Other tests share the store: of everything, ours must be in order.
	all := list(t, s, "")
	if !slices.IsSorted(all) || !slices.Contains(all, other.String()) || !slices.Contains(all, want[objects-1]) {
		t.Errorf("everything: %d keys, sorted %t", len(all), slices.IsSorted(all))
	}
	testListStops(t, s, "media/"+id)
}

func testListStops(t *testing.T, s storage.Store, prefix string) {
	n := int64(0)
	for o, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		if o.Size != n || o.Modified.IsZero() || o.ContentType != "" || o.SHA256 != "" {
			t.Errorf("listed as %+v, want %d bytes, when modified and no more", o, n)
		}
		if n++; n == 5 {
			break
		}
	}
	if n != 5 {
		t.Errorf("stopped after %d", n)
	}
}

func list(t *testing.T, s storage.Store, prefix string) (keys []string) {
	t.Helper()
	for o, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatalf("List of %q: %v", prefix, err)
		}
		keys = append(keys, o.Key.String())
	}
	return keys
}

// testRetain keeps records in a store that cannot hold on to them: they are
// objects like any other, and it says so.
func testRetain(t *testing.T, s storage.Store) {
	id := randomID()
	key := storage.AuditKey(id)
	o, err := s.Put(t.Context(), key, strings.NewReader("x"), storage.PutOptions{Retain: time.Hour})
	if err != nil || o.Retained {
		t.Errorf("Put gives %+v, %v", o, err)
	}
	if body, _ := get(t, s, key, storage.Range{}); string(body) != "x" {
		t.Errorf("Get gives %q", body)
	}
	if d := cmp.Diff([]string{key.String()}, list(t, s, "audits/"+id)); d != "" {
		t.Errorf("List (-want +got):\n%s", d)
	}
	if err := s.Delete(t.Context(), key); err != nil {
		t.Error(err)
	}
	wantMissing(t, s, key)
}
