package sdk

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/runtest/judges"
)

// matrixCases are what each library must do, with what its driver prints.
var matrixCases = []struct{ name, want string }{
	{"success", "ok 9007199254740993 2026-01-02T03:04:05.120+05:30"},
	{"authentication", "k1 k2 k3 Bearer k4 Basic " + base64.StdEncoding.EncodeToString([]byte("user:pass"))},
	{"missing", "404 no_such_thing req-1 https://errors.example.com/no_such_thing There is no thing."},
	{"conflict", "409"},
	{"seconds", "seconds"},
	{"date", "date"},
	{"down", "down"},
	{"slow", "timeout"},
	{"cancelled", "soon"},
	{"redirect", "elsewhere"},
	{"upload", "upload"},
	{"binary", "256 255 all"},
	{"nulls", "null absent"},
	{"unknown", "unknown"},
	{"enums", "brand_new"},
	{"pages", "abcde"},
	{"idempotent", "idempotent"},
}

// quickCases need no waiting: they are tried whenever tests run.
var quickCases = []string{"success", "missing", "nulls", "redirect"}

// faulty is a service that answers each thing in its own way, and keeps what a library
// did wrong.
type faulty struct {
	wrong     func(format string, values ...any)
	lock      sync.Mutex
	attempts  map[string][]attempt // by language and thing
	elsewhere string               // address of another origin
}

type attempt struct {
	at   time.Time
	body []byte
	key  string
}

func newFaulty(t *testing.T) *httptest.Server { return newFaultyFor(t, t.Errorf) }

// newFaultyFor returns a service that calls wrong for what a library did wrong.
func newFaultyFor(t *testing.T, wrong func(format string, values ...any)) *httptest.Server {
	f := &faulty{wrong: wrong, attempts: map[string][]attempt{}}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"X-Key", "Authorization", "Cookie", "X-Own"} {
			if r.Header.Get(name) != "" {
				wrong("another origin got %s: %s", name, r.Header.Get(name))
			}
		}
		if r.URL.RawQuery != "" {
			wrong("another origin got ?%s", r.URL.RawQuery)
		}
		reply(w, 200, `{"id":"elsewhere"}`)
	}))
	t.Cleanup(other.Close)
	f.elsewhere = other.URL
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return server
}

func reply(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body) // the client may be gone
}

// ServeHTTP answers a request for /LANGUAGE/path.
func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	language, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	body, _ := io.ReadAll(r.Body)
	f.lock.Lock()
	key := language + " " + r.Method + " " + path
	before := f.attempts[key]
	f.attempts[key] = append(slices.Clip(before), attempt{time.Now(), body, r.Header.Get("Idempotency-Key")})
	f.lock.Unlock()
	wrong := func(format string, values ...any) { f.wrong(language+": "+format, values...) }
	switch group, id, _ := strings.Cut(path, "/"); group {
	case "auth":
		seen := map[string]string{"header": r.Header.Get("X-Key"), "query": r.URL.Query().Get("key"), "bearer": r.Header.Get("Authorization"), "basic": r.Header.Get("Authorization")}
		if c, err := r.Cookie("key"); err == nil {
			seen["cookie"] = c.Value
		}
		raw, _ := json.Marshal(map[string]string{"seen": seen[id]}) // texts
		reply(w, 200, string(raw))
	case "files":
		all := make([]byte, 256)
		for i := range all {
			all[i] = byte(i)
		}
		if r.Method == http.MethodPut {
			if !bytes.Equal(body, all) || r.Header.Get("Content-Type") != "application/octet-stream" {
				wrong("the service got %q as %s", body, r.Header.Get("Content-Type"))
			}
			reply(w, 200, `{"id":"all"}`)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(all)
	case "uploads":
		f.upload(w, r, body, wrong)
	case "things":
		f.thing(w, r, id, body, before, wrong)
	default:
		http.NotFound(w, r)
	}
}

func (f *faulty) upload(w http.ResponseWriter, r *http.Request, body []byte, wrong func(string, ...any)) {
	_, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	form := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	var parts []string
	for {
		part, err := form.NextRawPart()
		if err != nil {
			break
		}
		data, _ := io.ReadAll(part)
		parts = append(parts, fmt.Sprintf("%s %s %q %d", part.FormName(), part.Header.Get("Content-Type"), part.FileName(), len(data)))
		if part.FormName() == "meta" && !sameJSON(string(data), `{"title":"é"}`) {
			wrong("the part is %s", data)
		}
	}
	slices.Sort(parts)
	if want := []string{`file image/png "a.png" 256`, `meta application/json "" `}; len(parts) != 2 || parts[0] != want[0] || !strings.HasPrefix(parts[1], want[1]) {
		wrong("the parts are %q", parts)
	}
	reply(w, 200, `{"id":"upload"}`)
}

func sameJSON(a, b string) bool {
	read := func(text string) (v any) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		_ = d.Decode(&v) // nil differs from any object
		return v
	}
	return reflect.DeepEqual(read(a), read(b))
}

const surprise = `{"id":"unknown","surprise":{"deep":[1,9007199254740993,null]}}`

func (f *faulty) thing(w http.ResponseWriter, r *http.Request, id string, body []byte, before []attempt, wrong func(string, ...any)) {
	again := len(before) > 0
	waited := time.Duration(0)
	if again {
		waited = time.Since(before[len(before)-1].at)
	}
	switch r.Method + " " + id {
	case "GET ":
		next := map[string]string{"": `["a","b"] "2"`, "2": `["c","d"] "4+/="`, "4+/=": `["e"] null`}[r.URL.Query().Get("cursor")]
		list, cursor, _ := strings.Cut(next, "] ")
		var names []string
		_ = json.Unmarshal([]byte(list+"]"), &names) // names of this function
		var things []string
		for _, name := range names {
			things = append(things, `{"id":"`+name+`"}`)
		}
		if r.URL.Query().Get("limit") != "2" {
			wrong("a page has the limit %q", r.URL.Query().Get("limit"))
		}
		reply(w, 200, `{"data":[`+strings.Join(things, ",")+`],"next_cursor":`+cursor+`}`)
	case "POST ":
		key := r.Header.Get("Idempotency-Key")
		if key == "" {
			wrong("a request has no key")
		}
		if !again {
			reply(w, 503, `{}`)
			return
		}
		if key != before[0].key || !bytes.Equal(body, before[0].body) || !sameJSON(string(body), `{"id":"idempotent"}`) {
			wrong("the request was %s %s, and is %s %s", before[0].key, before[0].body, key, body)
		}
		reply(w, 201, `{"id":"idempotent"}`)
	case "GET ok":
		reply(w, 200, `{"id":"ok","big":9007199254740993,"at":"2026-01-02T03:04:05.120+05:30"}`)
	case "GET missing":
		w.Header().Set("X-Request-Id", "req-1")
		reply(w, 404, `{"type":"https://errors.example.com/no_such_thing","title":"Not found","status":404,"detail":"There is no thing.","code":"no_such_thing"}`)
	case "GET conflict":
		reply(w, 409, `{"code":"conflict"}`)
	case "GET seconds", "GET date", "GET down":
		if again {
			if least := map[string]time.Duration{"seconds": 950 * time.Millisecond, "date": 900 * time.Millisecond, "down": 350 * time.Millisecond}[id]; waited < least || waited > 4*time.Second {
				wrong("%s was repeated after %s", id, waited)
			}
			reply(w, 200, `{"id":"`+id+`"}`)
			return
		}
		switch id {
		case "seconds":
			w.Header().Set("Retry-After", "1")
		case "date":
			w.Header().Set("Retry-After", time.Now().Add(2*time.Second).UTC().Format(http.TimeFormat))
		default:
			reply(w, 503, `{}`)
			return
		}
		reply(w, 429, `{}`)
	case "GET slow":
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	case "GET busy":
		if again {
			wrong("a cancelled request was repeated")
		}
		w.Header().Set("Retry-After", "20")
		reply(w, 503, `{}`)
	case "GET redirect":
		http.Redirect(w, r, f.elsewhere+"/thing", http.StatusTemporaryRedirect)
	case "PUT nulls":
		if !sameJSON(string(body), `{"id":"nulls","note":null,"count":0,"flag":false}`) {
			wrong("the service got %s", body)
		}
		reply(w, 200, `{"id":"nulls","note":null}`)
	case "GET unknown":
		reply(w, 200, surprise)
	case "PUT unknown":
		if !sameJSON(string(body), surprise) {
			wrong("the service got %s", body)
		}
		reply(w, 200, surprise)
	case "GET enums":
		reply(w, 200, `{"id":"enums","status":"brand_new"}`)
	default:
		http.NotFound(w, r)
	}
}

// toolchain says how a driver of a language is checked, built and run in the folder of
// an archive.
type toolchain struct {
	needs  []string
	driver string   // its place in the archive
	build  []string // commands of a shell, which may print nothing
	run    string
}

// toolchains are the oldest ones that the READMEs name, as far as they are installed.
var toolchains = map[string]toolchain{
	"node":   {[]string{"node"}, "driver.mjs", []string{"node --check runtime.js", "node --check index.js"}, "node driver.mjs"},
	"python": {[]string{"python3"}, "driver.py", []string{"python3 -W error -m compileall -q matrix"}, "python3 driver.py"},
	"java":   {[]string{"javac", "java"}, "Driver.java", []string{"javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC --release 11 -Xlint:all -Werror -d out $(find src -name '*.java') examples/Quickstart.java Driver.java"}, "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp out Driver"},
	"php":    {[]string{"php"}, "driver.php", []string{"for f in $(find . -name '*.php'); do php -d display_errors=1 -d error_reporting=-1 -l $f | grep -v '^No syntax errors'; done; true"}, "php -d display_errors=1 -d error_reporting=-1 driver.php"},
	"csharp": {[]string{"mcs", "mono"}, "Driver.cs", []string{"mcs -langversion:7.2 -codepage:utf8 -warnaserror -r:System.Net.Http.dll -main:Driver -out:driver.exe $(find . -name '*.cs')"}, "mono driver.exe"},
	"go":     {[]string{"go"}, "driver/main.go", []string{"go vet ./...", "go build -o driver.bin ./driver"}, "./driver.bin"},
}

// runMatrix builds the driver of a language and tries cases with it.
func runMatrix(t *testing.T, api *API, server *httptest.Server, l *Language, cases []string) {
	tools := toolchains[l.Slug]
	for _, name := range tools.needs {
		if !judges.Run && name != "go" {
			t.Skip("go test -tags judge runs " + name)
		}
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed")
		}
	}
	dir := t.TempDir()
	list, err := archiveFiles(api, l)
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Base(tools.driver)
	if l.Slug == "go" {
		source = "driver.go.txt"
	}
	driver, err := os.ReadFile(filepath.Join("testdata", "matrix", source))
	if err != nil {
		t.Fatal(err)
	}
	writeFiles(t, dir, append(list, File{tools.driver, driver}))
	for _, command := range tools.build {
		if out, err := shellIn(t, dir, command); err != nil || out != "" {
			t.Fatalf("%s: %v\n%.2000s", command, err, out)
		}
	}
	out, err := shellIn(t, dir, tools.run+" "+server.URL+"/"+l.Slug+" "+strings.Join(cases, " "))
	if err != nil {
		t.Errorf("%v\n%.2000s", err, out)
	}
	printed := map[string]string{}
	for line := range strings.Lines(out) {
		name, result, _ := strings.Cut(strings.TrimSpace(line), ": ")
		printed[name] = result
	}
	for _, c := range matrixCases {
		if slices.Contains(cases, c.name) && printed[c.name] != c.want {
			t.Errorf("%s: got %.300q, want %q", c.name, printed[c.name], c.want)
		}
	}
}

// shellIn runs a command in a folder and returns what it prints.
func shellIn(t *testing.T, dir, command string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "PYTHONDONTWRITEBYTECODE=1", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func matrixAPI(t *testing.T) *API {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "matrix", "contract.json"))
	if err != nil {
		t.Fatal(err)
	}
	return readAPI(t, corpus.Document{Name: "matrix.json", Data: raw})
}

// The library of each language compiles without a warning and calls a service that
// fails in several ways. A drill tries all cases.
func TestMatrix(t *testing.T) {
	t.Parallel()
	api, server := matrixAPI(t), newFaulty(t)
	for _, l := range Languages {
		t.Run(l.Slug, func(t *testing.T) {
			t.Parallel()
			runMatrix(t, api, server, l, quickCases)
		})
	}
}
