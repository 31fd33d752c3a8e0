package rcs

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"heliograph/app/fault"
	"heliograph/app/outbound"
)

// chunk returns a chunk of a PNG file.
func chunk(kind string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, kind...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

const pngMagic = "\x89PNG\r\n\x1a\n"

// rawPNG returns a PNG file that claims a size, with data that is compressed as it
// is.
func rawPNG(width, height uint32, depth, kind byte, data []byte) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	w.Write(data) //nolint:errcheck // memory takes everything
	w.Close()     //nolint:errcheck // as above
	file := append([]byte(pngMagic), chunk("IHDR", append(head, depth, kind, 0, 0, 0))...)
	return append(append(file, chunk("IDAT", packed.Bytes())...), chunk("IEND", nil)...)
}

func drawn(width, height int) *image.Paletted {
	return image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})
}

func asPNG(width, height int) []byte {
	var b bytes.Buffer
	png.Encode(&b, drawn(width, height)) //nolint:errcheck // memory takes everything
	return b.Bytes()
}

func asJPEG(width, height int) []byte {
	var b bytes.Buffer
	jpeg.Encode(&b, drawn(width, height), nil) //nolint:errcheck // memory takes everything
	return b.Bytes()
}

func asGIF(width, height int) []byte {
	var b bytes.Buffer
	gif.Encode(&b, drawn(width, height), nil) //nolint:errcheck // memory takes everything
	return b.Bytes()
}

// gray returns the rows of a grey image of 8 bits.
func gray(width, height int) []byte { return make([]byte, (width+1)*height) }

// claims returns a JPEG file that claims a size.
func claims(width, height uint16) []byte {
	b := asJPEG(224, 224)
	at := bytes.Index(b, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(b[at+5:], height)
	binary.BigEndian.PutUint16(b[at+7:], width)
	return b
}

func zipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b) //nolint:errcheck // memory takes everything
	w.Close()  //nolint:errcheck // as above
	return out.Bytes()
}

// hostileFiles are files that are no logo.
func hostileFiles() map[string][]byte {
	good := asPNG(224, 224)
	flipped := bytes.Clone(good)
	flipped[20] ^= 0xff // in the header, so that its checksum is wrong
	return map[string][]byte{
		"nothing": {}, "one byte": {0x89}, "text": []byte("hello"), "HTML": []byte("<!doctype html><img src=x onerror=alert(1)>"),
		"SVG": []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="224" height="224"/>`), "GIF": asGIF(224, 224), "GIF of one pixel": asGIF(1, 1),
		"WebP": []byte("RIFF\x00\x00\x00\x00WEBPVP8 "), "BMP": []byte("BM\x36\x00\x00\x00"), "TIFF": []byte("II*\x00\x08\x00\x00\x00"), "icon": []byte("\x00\x00\x01\x00\x01\x00"),
		"PDF": []byte("%PDF-1.7\n"), "ZIP": []byte("PK\x03\x04"), "program": []byte("\x7fELF\x02\x01\x01"), "gzip": zipped(good),
		"PNG mark alone": []byte(pngMagic), "JPEG mark alone": []byte("\xff\xd8\xff"), "PNG cut in its header": good[:20], "PNG cut in its data": good[:len(good)/2],
		"PNG with a wrong checksum": flipped, "PNG without data": append([]byte(pngMagic), good[8:33]...), "PNG in a JPEG": append([]byte("\xff\xd8\xff"), good...), "JPEG in a PNG": append([]byte(pngMagic), asJPEG(224, 224)...),
		"PNG after a byte order mark": append([]byte("\xef\xbb\xbf"), good...), "PNG after a line": append([]byte("\n"), good...),
		"one row too few": asPNG(224, 223), "one column too many": asPNG(225, 224), "banner": asPNG(1140, 448), "one pixel": asPNG(1, 1),
		"claims 65,535 pixels":       rawPNG(65_535, 65_535, 8, 0, nil),
		"claims 2,147,483,647":       rawPNG(1<<31-1, 1<<31-1, 8, 0, nil),
		"claims a negative size":     rawPNG(1<<32-1, 1<<32-1, 8, 0, nil),
		"claims no size":             rawPNG(0, 0, 8, 0, nil),
		"claims a bit depth of 17":   rawPNG(224, 224, 17, 0, gray(224, 224)),
		"a palette that is missing":  rawPNG(224, 224, 8, 3, gray(224, 224)),
		"an unknown colour type":     rawPNG(224, 224, 8, 9, gray(224, 224)),
		"a bomb of 60 MB":            rawPNG(224, 224, 8, 0, make([]byte, 60<<20)),
		"a bomb with a large claim":  rawPNG(30_000, 30_000, 8, 0, make([]byte, 60<<20)),
		"rows that end early":        rawPNG(224, 224, 8, 0, gray(224, 100)),
		"rows with a wrong filter":   rawPNG(224, 224, 8, 0, bytes.Repeat([]byte{9}, 225*224)),
		"JPEG of another size":       asJPEG(100, 100),
		"JPEG that claims 65,500":    claims(65_500, 65_500),
		"JPEG cut in its data":       asJPEG(224, 224)[:300],
		"a byte more than the limit": append(bytes.Clone(good), make([]byte, 90<<10+1-len(good))...),
		"JPEG that claims no size":   claims(0, 0),
	}
}

// mostAllocated is how much one file may cost, in bytes: a decoded logo and
// what the request needs, but no bomb.
const mostAllocated = 8 << 20

// No file that is no logo is stored, and none is decoded past its limit.
func TestHostileImages(t *testing.T) {
	files := hostileFiles()
	if len(files) < 40 {
		t.Fatalf("%d files are tried, want 40", len(files))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		w.Write(files[r.URL.Query().Get("name")]) //nolint:errcheck // the client sees it
	}))
	t.Cleanup(server.Close)
	client := outbound.New(outbound.Options{AllowLoopback: true, MaxBody: 3 << 20})
	for name := range files {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		image, err := logoImage.fetch(t.Context(), client, "1", "botLogoImage", server.URL+"/?name="+url.QueryEscape(name))
		runtime.ReadMemStats(&after)
		if f := fault.As(err); f == nil || f.Kind != fault.Invalid || f.Fields[0].Name != "botLogoImage" || image.Content != nil {
			t.Errorf("%s: %v", name, err)
		}
		if cost := after.TotalAlloc - before.TotalAlloc; cost > mostAllocated {
			t.Errorf("%s costs %d bytes", name, cost)
		}
	}
	if _, err := logoImage.read("botLogoImage", asPNG(224, 224)); err != nil {
		t.Errorf("a good logo is refused: %v", err)
	}
}

// Servers that lie, redirect or never end are refused, and little is read of them.
func TestHostileServers(t *testing.T) {
	t.Parallel()
	good := asPNG(224, 224)
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	t.Cleanup(inner.Close)
	var written atomic.Int64
	for name, serve := range map[string]http.HandlerFunc{
		"a body without an end": func(w http.ResponseWriter, _ *http.Request) {
			for block := make([]byte, 64<<10); written.Load() < 1<<30; {
				n, err := w.Write(block)
				if written.Add(int64(n)); err != nil {
					return
				}
			}
		},
		"a large stated length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9000000000")
			w.WriteHeader(200)
		},
		"a body that is cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(good)+10))
			w.Write(good) //nolint:errcheck // the client sees it
		},
		"a compressed body": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zipped(good)) //nolint:errcheck // the client sees it
		},
		"301": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, inner.URL, http.StatusMovedPermanently)
		},
		"302": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, inner.URL, http.StatusFound) },
		"307": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, inner.URL, http.StatusTemporaryRedirect)
		},
		"308": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusPermanentRedirect)
		},
		"204":                    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
		"206":                    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(206); w.Write(good) }, //nolint:errcheck // the client sees it
		"404":                    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); w.Write(good) }, //nolint:errcheck // the client sees it
		"500":                    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500); w.Write(good) }, //nolint:errcheck // the client sees it
		"a connection that ends": func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) },
	} {
		server := httptest.NewServer(serve)
		_, err := logoImage.fetch(t.Context(), outbound.New(outbound.Options{AllowLoopback: true, MaxBody: 3 << 20}), "1", "botLogoImage", server.URL)
		if f := fault.As(err); f == nil || f.Kind != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
		server.Close()
	}
	if written.Load() > 32<<20 {
		t.Errorf("%d bytes were written to a client that reads 90 KB", written.Load())
	}
}

// hostileAddresses lead inside, spelled in every way that is known. PORT is that
// of a listener on this machine.
var hostileAddresses = strings.Fields(`
	http://127.0.0.1:PORT/l.png http://127.1:PORT/ http://127.0.1:PORT/ http://2130706433:PORT/ http://0x7f000001:PORT/ http://0x7f.0.0.1:PORT/
	http://0177.0.0.1:PORT/ http://017700000001:PORT/ http://127.0.0.1.:PORT/ http://127.127.127.127:PORT/ http://0.0.0.0:PORT/ http://0:PORT/
	http://localhost:PORT/ http://LOCALHOST:PORT/ http://localhost.:PORT/ http://localhost.localdomain:PORT/ http://ip6-localhost:PORT/ http://sub.localhost:PORT/
	http://[::1]:PORT/ http://[0:0:0:0:0:0:0:1]:PORT/ http://[::]:PORT/ http://[::ffff:127.0.0.1]:PORT/ http://[::ffff:7f00:1]:PORT/ http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/
	http://[::127.0.0.1]:PORT/ http://[64:ff9b::7f00:1]:PORT/ http://[64:ff9b:1::7f00:1]:PORT/ http://[2002:7f00:1::]:PORT/ http://[fe80::1%25lo]:PORT/ http://[fc00::1]/ http://[fd00:ec2::254]/
	http://10.0.0.1/ http://10.255.255.255/ http://172.16.0.1/ http://172.31.255.255/ http://192.168.0.1/ http://192.168.1.1:8080/ http://169.254.169.254/latest/meta-data/
	http://169.254.170.2/v2/credentials http://[fe80::a9fe:a9fe]/ http://0xa9fea9fe/ http://2852039166/ http://0251.0376.0251.0376/ http://100.64.0.1/ http://100.100.100.200/latest/
	http://192.0.0.192/opc/v1/ http://198.18.0.1/ http://203.0.113.1/ http://224.0.0.1/ http://255.255.255.255/ http://240.0.0.1/ http://metadata.google.internal/computeMetadata/v1/
	http://user:pass@127.0.0.1:PORT/ http://parcels.example.com@127.0.0.1:PORT/ http://127.0.0.1:PORT#@parcels.example.com/ http://127.0.0.1:PORT\@parcels.example.com/ http://①②⑦.⓪.⓪.①:PORT/ http://127。0。0。1:PORT/
	http://127%2e0%2e0%2e1:PORT/ http://%31%32%37.0.0.1:PORT/ https://127.0.0.1:PORT/ ftp://127.0.0.1:PORT/ gopher://127.0.0.1:PORT/_x file:///etc/passwd data:image/png;base64,iVBORw0KGgo= http:///l.png http://:PORT/
	//127.0.0.1:PORT/ http:127.0.0.1:PORT/ javascript:alert(1) dict://127.0.0.1:PORT/ ldap://127.0.0.1:PORT/ http://127.0.0.1:PORT:80/ http://[::1/ http://localhost:PORT%2f@a.example.com/`)

// None of the addresses that lead inside is fetched, and no error names what is
// inside.
func TestHostileAddresses(t *testing.T) {
	t.Parallel()
	if len(hostileAddresses) < 60 {
		t.Fatalf("%d addresses are tried, want 60", len(hostileAddresses))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var reached atomic.Int64
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.NotFoundHandler(), ConnState: func(_ net.Conn, s http.ConnState) { //nolint:gosec // ends with the test
		if s == http.StateNew {
			reached.Add(1)
		}
	}}}
	server.Start()
	t.Cleanup(server.Close)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	number, _ := strconv.ParseUint(port, 10, 16)
	client := outbound.New(outbound.Options{Ports: []uint16{uint16(number), 8080}})
	for _, address := range hostileAddresses {
		address = strings.ReplaceAll(address, "PORT", port)
		c := &check{}
		webURL(c, "botLogoImage", address)
		err := c.err()
		if err == nil {
			_, err = logoImage.fetch(t.Context(), client, "1", "botLogoImage", address)
		}
		f := fault.As(err)
		if f == nil || f.Kind != fault.Invalid || len(f.Fields) != 1 || f.Fields[0].Name != "botLogoImage" {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if strings.Contains(f.Fields[0].Message, "refused") || strings.Contains(f.Fields[0].Message, "dial") {
			t.Errorf("%s: the error tells what is inside: %s", address, f.Fields[0].Message)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("a listener inside was reached %d times", n)
	}
}
