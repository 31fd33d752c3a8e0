package storage_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"heliograph/app/fault"
	"heliograph/storage"
	"heliograph/storage/storagetest"
)

func TestS3OpensTheBucket(t *testing.T) {
	t.Parallel()
	o := storagetest.S3(t)
	o.CreateBucket = false
	if _, err := storage.OpenS3(t.Context(), o); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a missing bucket: %v", err)
	}
	o.CreateBucket = true
	for range 2 { // the second finds it there
		if _, err := storage.OpenS3(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	o.SecretKey += "x"
	if _, err := storage.OpenS3(t.Context(), o); err == nil || fault.As(err) != nil {
		t.Errorf("a wrong secret: %v, want an internal error", err)
	}
}

// TestS3Outage puts a gateway before the server that can fail: every method
// tells the outage, and works again after it.
func TestS3Outage(t *testing.T) {
	t.Parallel()
	o := storagetest.S3(t)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: o.Endpoint})
		r.Out.Host = r.In.Host // it is part of the signature
	}}
	var down atomic.Bool
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	defer gateway.Close()
	through := o
	through.Endpoint = strings.TrimPrefix(gateway.URL, "http://")
	s, err := storage.OpenS3(t.Context(), through)
	if err != nil {
		t.Fatal(err)
	}
	key := storage.MediaKey("1")
	use := func() map[string]error {
		_, putErr := s.Put(t.Context(), key, strings.NewReader("x"), storage.PutOptions{})
		body, _, getErr := s.Get(t.Context(), key, storage.Range{})
		if getErr == nil {
			body.Close()
		}
		_, statErr := s.Stat(t.Context(), key)
		var listErr error
		for _, listErr = range s.List(t.Context(), "") {
		}
		return map[string]error{
			"Put": putErr, "Get": getErr, "Stat": statErr, "List": listErr,
			"Delete": s.Delete(t.Context(), key), "Ping": s.Ping(t.Context()),
		}
	}
	for _, isDown := range []bool{false, true, false} {
		down.Store(isDown)
		for method, err := range use() {
			if isDown != fault.Is(err, fault.Unavailable) || !isDown && err != nil {
				t.Errorf("%s while down is %t: %v", method, isDown, err)
			}
		}
	}
	gateway.Close()
	if err := s.Ping(t.Context()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("Ping with nobody at the address: %v", err)
	}
	if _, err := storage.OpenS3(t.Context(), through); !fault.Is(err, fault.Unavailable) {
		t.Errorf("OpenS3 with nobody at the address: %v", err)
	}
}

func TestS3URLExpires(t *testing.T) {
	t.Parallel()
	s := openS3(t)
	link, err := s.URL(t.Context(), storage.MediaKey("1"), storage.MaxURLLife)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	if life := u.Query().Get("X-Amz-Expires"); life != "300" {
		t.Errorf("X-Amz-Expires is %q, want 300", life)
	}
	signed, err := time.Parse("20060102T150405Z", u.Query().Get("X-Amz-Date"))
	if age := time.Since(signed); err != nil || age < -time.Second || age > time.Minute {
		t.Errorf("X-Amz-Date is %v ago, error %v", age, err)
	}
}

// What a bucket with object lock retains can be hidden and covered up, but not
// lost: its name stays in the list, and the server keeps the bytes from its
// owner, too.
func TestS3Retains(t *testing.T) {
	t.Parallel()
	o := storagetest.S3(t)
	o.ObjectLock = true
	s, err := storage.OpenS3(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	key := storage.AuditKey("1")
	for _, body := range []string{"first", "second"} {
		kept, err := s.Put(t.Context(), key, strings.NewReader(body), storage.PutOptions{Retain: time.Minute})
		if err != nil || !kept.Retained {
			t.Fatalf("Put gives %+v, %v", kept, err)
		}
	}
	plain, err := s.Put(t.Context(), storage.AuditKey("2"), strings.NewReader("x"), storage.PutOptions{})
	if err != nil || plain.Retained {
		t.Errorf("without a time to retain for Put gives %+v, %v", plain, err)
	}
	if err := s.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Stat(t.Context(), key); !fault.Is(err, fault.NotFound) {
		t.Errorf("what was removed gives %v", err)
	}
	var names []string
	for object, err := range s.List(t.Context(), "audits/") {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, object.Key.String())
	}
	if diff := cmp.Diff([]string{"audits/1", "audits/2"}, names); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	owner, err := minio.New(o.Endpoint, &minio.Options{Creds: credentials.NewStaticV4(o.AccessKey, o.SecretKey, "")})
	if err != nil {
		t.Fatal(err)
	}
	versions := 0
	for v := range owner.ListObjects(t.Context(), o.Bucket, minio.ListObjectsOptions{Prefix: key.String(), WithVersions: true}) {
		if v.Err != nil || v.IsDeleteMarker {
			continue
		}
		versions++
		err := owner.RemoveObject(t.Context(), o.Bucket, v.Key, minio.RemoveObjectOptions{VersionID: v.VersionID, GovernanceBypass: true})
		if err == nil {
			t.Errorf("its owner may remove version %s", v.VersionID)
		}
	}
	if versions != 2 {
		t.Errorf("%d versions are kept, want 2", versions)
	}
}
