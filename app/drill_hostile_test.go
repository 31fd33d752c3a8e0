//go:build drill && linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"heliograph/storage/storagetest"
)

const (
	hostileMemory = 300 << 20 // bytes that a web process may take at most
	hostileTime   = time.Minute
	floodStart    = 2 * time.Second
)

// TestHostileKeyDrill has one key send 100 large bodies at once, three times, beside
// 100 slow uploads. The process stays small, its temporary folder empty, and another
// organisation is served as before. The sender of all that runs at the lowest
// priority, so that it takes the processors from the service no more than another
// machine would, and has two seconds to start.
//
//	go test -tags drill -run HostileKeyDrill -v ./app
func TestHostileKeyDrill(t *testing.T) {
	f := newFleet(t)
	s3 := storagetest.S3(t)
	temp := t.TempDir()
	f.environ = append(f.environ, "STORAGE_FOLDER=", "STORAGE_ENDPOINT="+s3.Endpoint, "STORAGE_BUCKET="+s3.Bucket, "STORAGE_TLS=false",
		"STORAGE_ACCESS_KEY="+s3.AccessKey, "STORAGE_SECRET_KEY="+s3.SecretKey, "TMPDIR="+temp)
	f.run("seed")
	hostile, other := newSender(t, f, "asha@example.com"), newSender(t, f, "ravi@example.com")
	web := f.start("web")
	quiet := other.measure(t, web, hostileTime)

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	flood := exec.Command("nice", "-n", "19", self, "-test.run", "^TestFlood$", "-test.v")
	flood.Env = append(os.Environ(), floodVar+"="+web.url+"/v3/"+hostile.PhoneNumberID, floodVar+"_KEY="+hostile.APIKey)
	var said bytes.Buffer
	flood.Stdout, flood.Stderr = &said, &said
	if err := flood.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(floodStart)
	attacked := other.measure(t, web, hostileTime)
	files, err := os.ReadDir(temp)
	if err := errors.Join(err, flood.Wait()); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	peak := web.memory(t, peakMemory)
	t.Logf("%s\npeak memory %d MB; p99 of another organisation %v before, %v meanwhile; %d temporary files", &said, peak>>20, quiet, attacked, len(files))
	if peak > hostileMemory {
		t.Errorf("the web process took %d MB, more than %d", peak>>20, hostileMemory>>20)
	}
	if len(files) > 0 {
		t.Errorf("the temporary folder has %s", filepath.Join(temp, files[0].Name()))
	}
	if attacked > 2*quiet && attacked > 50*time.Millisecond {
		t.Errorf("the p99 of another organisation is %v, more than twice %v", attacked, quiet)
	}
}

// floodVar names the address of a phone number for TestFlood; with _KEY after it, the
// key of its organisation.
const floodVar = "HELIOGRAPH_DRILL_FLOOD"

// TestFlood is the process that TestHostileKeyDrill sends from. It logs how many
// answers of each status it got.
func TestFlood(t *testing.T) {
	number, key := os.Getenv(floodVar), os.Getenv(floodVar+"_KEY")
	if number == "" {
		t.Skip("run TestHostileKeyDrill")
	}
	ctx, stop := context.WithTimeout(t.Context(), floodStart+hostileTime)
	defer stop()
	var answers [600]atomic.Int64
	body := append([]byte(`{"messaging_product":"msgapp","to":"+919812345678","type":"contacts","contacts":[{}`), bytes.Repeat([]byte(",{}"), 340_000)...)
	body = append(body, "]}"...)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	post := func(path, contentType string, body io.Reader) {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, number+path, body)
		if err != nil {
			return
		}
		r.Header.Set("Content-Type", contentType)
		r.Header.Set("apikey", key)
		res, err := client.Do(r)
		if err != nil {
			return
		}
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body)
		answers[res.StatusCode].Add(1)
	}
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			for wave := time.NewTicker(hostileTime / 3); ctx.Err() == nil; <-wave.C {
				post("/messages", "application/json", bytes.NewReader(body))
			}
		})
		wg.Go(func() {
			for ctx.Err() == nil {
				reader, writer := io.Pipe()
				form := multipart.NewWriter(writer)
				go drip(ctx, form, writer)
				post("/media", form.FormDataContentType(), reader)
			}
		})
	}
	wg.Wait()
	for code := range answers {
		if n := answers[code].Load(); n > 0 {
			t.Logf("%d answers with status %d", n, code)
		}
	}
}

// drip writes a form with a file, slowly.
func drip(ctx context.Context, form *multipart.Writer, out *io.PipeWriter) {
	defer out.CloseWithError(context.Canceled)
	part, err := form.CreatePart(map[string][]string{"Content-Disposition": {`form-data; name="sheet"; filename="a.pdf"`}, "Content-Type": {"application/pdf"}})
	if err != nil {
		return
	}
	if _, err := part.Write(append([]byte("%PDF-1.7\n"), make([]byte, 4<<20)...)); err != nil {
		return
	}
	for tick := time.NewTicker(100 * time.Millisecond); ctx.Err() == nil; <-tick.C {
		if _, err := part.Write(make([]byte, 4<<10)); err != nil {
			return
		}
	}
}

// measure sends 20 messages a second and returns the 99th percentile of the time
// until they are accepted.
func (p *partner) measure(t *testing.T, web *process, duration time.Duration) time.Duration {
	t.Helper()
	var took []time.Duration
	end := time.Now().Add(duration)
	for tick := time.NewTicker(50 * time.Millisecond); time.Now().Before(end); <-tick.C {
		began := time.Now()
		id, status, err := p.send(t.Context(), web.url, "", p.messageBody(ordinary, fmt.Sprint(len(took))))
		if id == "" {
			t.Errorf("a message of another organisation: %d %v", status, err)
		}
		took = append(took, time.Since(began))
	}
	return percentile(took, 99)
}

var peakMemory = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
