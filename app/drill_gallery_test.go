//go:build drill && linux

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// galleryFile is the size of each upload of the drill.
const galleryFile = 100 << 20

// TestGalleryDrill uploads ten files of 100 MB at once, while the memory of the web
// process stays flat, and compares how they are served with nginx: 60 requests for
// ranges are answered alike, and whole files at 0.6 of its speed or more.
//
//	go test -tags drill -run GalleryDrill -timeout 20m -v ./app
func TestGalleryDrill(t *testing.T) {
	f := newFleet(t)
	people, err := createAccess(t.Context(), &platform{pool: f.pool, keyring: f.keyring}, "")
	if err != nil {
		t.Fatal(err)
	}
	web := f.start("web")
	admin := newVisitor(t)
	admin.must("signing in", 303, admin.post(web.url+"/admin/login", web.url+"/admin/login", "email", people.Admin.Email, "password", people.Admin.Password))
	token := admin.token(web.url + "/admin/media")
	first := video(t)
	admin.upload(web.url, token, "small.mp4", first[:1<<20]) // what every process takes once
	before := web.memory(t, peakMemory)
	began := time.Now()
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			data := first
			if i > 0 {
				data = video(t)
			}
			admin.upload(web.url, token, fmt.Sprintf("film-%d.mp4", i), data)
		})
	}
	wg.Wait()
	after := web.memory(t, peakMemory)
	t.Logf("10 uploads of %d MB took %v; the peak of memory went from %d to %d MB", galleryFile>>20, time.Since(began).Round(time.Millisecond), before>>20, after>>20)
	if after-before > 64<<20 {
		t.Errorf("the uploads took %d MB of memory, want at most 64", (after-before)>>20)
	}
	if n := f.column(`select count(*)::text from gallery_items where name like 'film-%'`)[0]; n != "10" {
		t.Fatalf("%s of 10 files arrived", n)
	}
	ours := web.url + "/media/" + f.column(`select id from gallery_items where name = 'film-0.mp4'`)[0] + "/film-0.mp4"
	theirs := serveByNginx(t, "film.mp4", first)
	compareRanges(t, ours, theirs)
	mine, nginx := speed(t, ours), speed(t, theirs)
	t.Logf("%.0f MB/s, nginx %.0f MB/s: %.2f", mine, nginx, mine/nginx)
	if mine < 0.6*nginx {
		t.Errorf("files are served at %.2f of nginx's speed, want 0.6", mine/nginx)
	}
}

// video is a file that looks like a video, unlike any other.
func video(t *testing.T) []byte {
	data := make([]byte, galleryFile)
	copy(data, "\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomiso2")
	if _, err := rand.Read(data[64 : 64+(1<<20)]); err != nil {
		t.Error(err)
	}
	return data
}

// upload sends a file to the gallery.
func (v *visitor) upload(web, token, name string, data []byte) {
	var head bytes.Buffer
	form := multipart.NewWriter(&head)
	_ = form.WriteField("_csrf", token) // a buffer takes everything
	_, _ = form.CreateFormFile("files", name)
	tail := "\r\n--" + form.Boundary() + "--\r\n"
	body := io.MultiReader(&head, bytes.NewReader(data), strings.NewReader(tail))
	size := int64(head.Len() + len(data) + len(tail))
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, web+"/admin/media/upload", body)
	if err != nil {
		v.t.Error(err)
		return
	}
	r.ContentLength = size
	r.Header.Set("Content-Type", form.FormDataContentType())
	client := *v.client
	client.Timeout = 5 * time.Minute
	res, err := client.Do(r)
	if err != nil {
		v.t.Error(err)
		return
	}
	defer res.Body.Close()
	if text, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusOK && res.StatusCode != http.StatusSeeOther {
		v.t.Errorf("uploading %s gives %d: %.300s", name, res.StatusCode, text)
	}
}

// serveByNginx serves a file and returns its address.
func serveByNginx(t *testing.T, name string, data []byte) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "drill")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // nginx reads it as another user
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil { //nolint:gosec // likewise
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(freeAddress())
	if err != nil {
		t.Fatal(err)
	}
	startNginx(t, fmt.Sprintf("types { video/mp4 mp4; }\nserver { listen 127.0.0.1:%s; root %s; sendfile on; }", port, dir), port)
	return "http://127.0.0.1:" + port + "/" + name
}

// ranges are what clients ask for, rightly and wrongly.
func ranges() (list []string) {
	for _, at := range []int{0, 1, 499, 500, 4095, 4096, 1 << 20, galleryFile - 2, galleryFile - 1} {
		list = append(list, fmt.Sprintf("bytes=%d-%d", at, at), fmt.Sprintf("bytes=%d-%d", at, at+99), fmt.Sprintf("bytes=%d-%d", at, galleryFile+5))
	}
	for _, last := range []int{1, 2, 500, 65536} {
		list = append(list, fmt.Sprintf("bytes=-%d", last), fmt.Sprintf("bytes=%d-", galleryFile-last))
	}
	for _, first := range []int{galleryFile, galleryFile + 1, galleryFile * 9} {
		list = append(list, fmt.Sprintf("bytes=%d-", first), fmt.Sprintf("bytes=%d-%d", first, first+9))
	}
	return append(list, "bytes=0-0,-1", "bytes=0-9,20-29", "bytes=0-9,20-29,40-49", "bytes=500-999,7000-7999", "bytes=0-0,2-2,4-4,6-6", "bytes=1-1, 3-3", "bytes=-5,0-5", "bytes=10-19,104857599-",
		"bytes=5-2", "bytes=a-b", "bytes=", "bytes=-", "bytes=--1", "bytes=1", "bytes 0-1", "items=0-5", "bytes=0-5;", "bytes=18446744073709551616-", "bytes=0-18446744073709551616")
}

func compareRanges(t *testing.T, ours, theirs string) {
	t.Helper()
	list := ranges()
	alike := 0
	for _, asked := range list {
		a, b := ask(t, ours, asked), ask(t, theirs, asked)
		if a == b {
			alike++
		} else {
			t.Errorf("%q gives\n%.300s\nand nginx gives\n%.300s", asked, a, b)
		}
	}
	t.Logf("%d of %d requests for ranges are answered as nginx does", alike, len(list))
}

// ask requests a range, and describes the answer: its status, what it says of the range,
// and its bytes.
func ask(t *testing.T, address, asked string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Range", asked)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	said := fmt.Sprintf("%d %s ", res.StatusCode, res.Header.Get("Content-Range"))
	kind, boundary, _ := strings.Cut(res.Header.Get("Content-Type"), "boundary=")
	switch {
	case res.StatusCode == http.StatusOK:
		return said + fmt.Sprint(res.ContentLength)
	case res.StatusCode != http.StatusPartialContent:
		return said
	case strings.HasPrefix(kind, "multipart/byteranges"):
		parts := multipart.NewReader(res.Body, strings.Trim(boundary, `"`))
		for {
			part, err := parts.NextPart()
			if err != nil {
				return said
			}
			body, _ := io.ReadAll(part)
			said += fmt.Sprintf("[%s %s %x] ", part.Header.Get("Content-Type"), part.Header.Get("Content-Range"), short(body))
		}
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return said + fmt.Sprintf("%d %x", len(body), short(body))
}

func short(body []byte) []byte {
	if len(body) <= 64 {
		return body
	}
	return append(bytes.Clone(body[:32]), body[len(body)-32:]...)
}

// speed reads a file five times, and returns the best speed in MB/s.
func speed(t *testing.T, address string) (best float64) {
	t.Helper()
	for range 5 {
		began := time.Now()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if err != nil || n != galleryFile {
			t.Fatalf("%d bytes: %v", n, err)
		}
		best = max(best, float64(n)/1e6/time.Since(began).Seconds())
	}
	return best
}
