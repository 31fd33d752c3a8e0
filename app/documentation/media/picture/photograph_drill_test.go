//go:build drill && linux

package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"syscall"
	"testing"
	"time"
)

// TestPhotographDrill makes the three sizes of a photograph of 12 megapixels, within 1.5
// seconds of processor time, since other programs may take turns.
//
//	go test -tags drill -run PhotographDrill -v ./app/documentation/media/picture
func TestPhotographDrill(t *testing.T) {
	photo := image.NewRGBA(image.Rect(0, 0, 4000, 3000))
	state := uint32(1)
	for y := range 3000 {
		for x := range 4000 {
			state = state*1664525 + 1013904223 // noise, as sensors have
			n := uint8(state >> 28)
			photo.SetRGBA(x, y, color.RGBA{uint8(x>>4) + n, uint8(y>>4) + n, uint8((x+y)>>5) + n, 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, photo, &jpeg.Options{Quality: 90}); err != nil {
		t.Fatal(err)
	}
	best := time.Hour
	for range 5 {
		began := processor(t)
		list, err := Make(t.Context(), bytes.NewReader(b.Bytes()), JPEG)
		if err != nil || len(list) != 4 { // with the whole one
			t.Fatalf("%d sizes: %v", len(list), err)
		}
		best = min(best, processor(t)-began)
	}
	t.Logf("a photograph of %d kB takes %v", b.Len()>>10, best.Round(time.Millisecond))
	if best > 1500*time.Millisecond {
		t.Errorf("three sizes take %v, want 1.5 s", best)
	}
}

// processor is the processor time of this program so far.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
