package storage_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"heliograph/app/fault"
	"heliograph/storage"
	"heliograph/storage/storagetest"
)

// A server that takes connections and never answers makes every method
// Unavailable after the patience, and so does a body that stops midway.
func TestS3ThatHangsIsUnavailable(t *testing.T) {
	t.Parallel()
	o := storagetest.S3(t)
	proxy := proxyTo(o.Endpoint)
	var hangs, stops atomic.Bool
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case hangs.Load():
			io.Copy(io.Discard, r.Body) //nolint:errcheck // the end of the connection is seen behind the body only
			<-r.Context().Done()
		case stops.Load() && r.Method == http.MethodGet:
			w.Header().Set("Content-Length", "10")
			w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
			w.Header().Set("ETag", `"x"`)
			io.WriteString(w, "half") //nolint:errcheck // the test reads it
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		default:
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() { gateway.CloseClientConnections(); gateway.Close() })
	o.Endpoint = strings.TrimPrefix(gateway.URL, "http://")
	patient, err := storage.OpenS3(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Patience = 300 * time.Millisecond
	s, _ := storage.OpenS3(t.Context(), o) // whether the server is that fast now does not matter
	key := storage.MediaKey("1")
	if _, err := patient.Put(t.Context(), key, strings.NewReader("0123456789"), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	stops.Store(true)
	body, _, err := patient.Get(t.Context(), key, storage.Range{})
	if err != nil {
		t.Fatal(err)
	}
	if read, err := io.ReadAll(body); string(read) != "half" || !fault.Is(err, fault.Unavailable) {
		t.Errorf("a body that stops gives %q, %v", read, err)
	}
	body.Close()
	hangs.Store(true)
	for method, use := range map[string]func() error{
		"Put": func() error {
			_, err := s.Put(t.Context(), key, strings.NewReader("x"), storage.PutOptions{})
			return err
		},
		"Get":  func() error { _, _, err := s.Get(t.Context(), key, storage.Range{}); return err },
		"Stat": func() error { _, err := s.Stat(t.Context(), key); return err },
		"List": func() error {
			for _, err := range s.List(t.Context(), "") {
				return err
			}
			return nil
		},
		"Delete": func() error { return s.Delete(t.Context(), key) },
		"Ping":   func() error { return s.Ping(t.Context()) },
	} {
		start := time.Now()
		if err := use(); !fault.Is(err, fault.Unavailable) || time.Since(start) > 10*time.Second {
			t.Errorf("%s gives %v after %v", method, err, time.Since(start))
		}
	}
}

// proxyTo returns a proxy of an S3 server.
func proxyTo(endpoint string) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: endpoint})
		r.Out.Host = r.In.Host // it is part of the signature
	}}
}

// A store that was opened while nobody answered works as soon as the server is
// there, and makes its bucket then.
func TestS3OpensWithoutItsServer(t *testing.T) {
	t.Parallel()
	o := storagetest.S3(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address, upstream := listener.Addr().String(), o.Endpoint
	listener.Close()
	o.Endpoint, o.CreateBucket = address, true
	s, err := storage.OpenS3(t.Context(), o)
	if !fault.Is(err, fault.Unavailable) || s == nil {
		t.Fatalf("nobody answers: %v", err)
	}
	health := storage.NewHealth(s)
	if health.Check(t.Context()); health.Available() {
		t.Error("a server that does not answer is available")
	}
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Skip("another process took the port")
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: upstream})
		r.Out.Host = r.In.Host
	}}
	server := &http.Server{Handler: proxy, ReadHeaderTimeout: time.Second}
	go server.Serve(listener) //nolint:errcheck // it is closed at the end
	t.Cleanup(func() { server.Close() })
	if health.Check(t.Context()); !health.Available() {
		t.Error("a server that answers again is not available")
	}
	if _, err := s.Put(t.Context(), storage.MediaKey("1"), strings.NewReader("x"), storage.PutOptions{}); err != nil {
		t.Errorf("with the server there, Put gives %v", err)
	}
}
