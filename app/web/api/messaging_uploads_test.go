package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// open opens an upload session and returns the path of its second step.
func (p *partner) open(t testing.TB, query string, headers ...string) string {
	t.Helper()
	a := p.call(t, http.MethodPost, "/app/uploads?"+query, "", headers...)
	var session struct{ ID, Sig string }
	if err := json.Unmarshal(a.body, &session); err != nil || a.status != 200 || !strings.HasSuffix(session.ID, "?sig="+session.Sig) {
		t.Fatalf("session = %d %s", a.status, a.body)
	}
	return "/" + session.ID
}

// step sends bytes from an offset.
func (p *partner) step(t *testing.T, path string, offset int, content string) answer {
	t.Helper()
	return p.call(t, http.MethodPost, path, content, "Content-Type", "application/octet-stream", "file_offset", fmt.Sprint(offset))
}

func TestUploadInOneStep(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	path := first.open(t, "file_length=184320&file_type=image%2Fjpeg&file_name=lamp.jpg")
	a := first.call(t, http.MethodPost, path, "\xff\xd8\xff"+strings.Repeat("x", 184317), "Content-Type", "image/jpeg")
	if a.status != 200 || !strings.HasPrefix(string(a.body), `{"h":"4::aW1hZ2UvanBlZw==:`) {
		t.Fatalf("upload = %d %s", a.status, a.body)
	}
	if again := first.step(t, path, 184320, ""); string(again.body) != string(a.body) {
		t.Errorf("the last step again = %s, want %s", again.body, a.body)
	}
	if n := first.count(t, `select (select count(*) from discarded_objects) + (select count(*) from upload_parts)`); n != 0 {
		t.Errorf("%d parts or objects are left behind", n)
	}
}

func TestUploadInSteps(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	path := first.open(t, "file_length=10&file_type=application/pdf")
	id, _, _ := strings.Cut(path, "?")
	for _, tt := range []struct {
		offset  int
		content string
		status  int
		want    string
	}{
		{0, "", 200, `{"file_offset":0}`},
		{0, "%PDF", 200, `{"file_offset":4}`},
		{0, "0123456789", 400, "continue from file_offset 4"},
		{5, "5", 400, "continue from file_offset 4"},
		{4, "4567890", 400, "more arrived"},
		{4, "-1.", 200, `{"file_offset":7}`},
		{7, "4ab", 200, `{"h":"4::`},
		{10, "x", 400, "more arrived"},
		{0, "0123456789", 400, "continue from file_offset 10"},
		{-1, "0123456789", 400, "continue from file_offset 10"},
	} {
		a := first.step(t, path, tt.offset, tt.content)
		if a.status != tt.status || !strings.Contains(string(a.body), tt.want) {
			t.Errorf("%q at %d = %d %s, want %d %s", tt.content, tt.offset, a.status, a.body, tt.status, tt.want)
		}
		if a.status == 400 && a.code(t) != 100 {
			t.Errorf("%s, want code 100", a.body)
		}
	}
	if a := first.fetch(t, http.MethodGet, id+"/"); a.status != 200 || string(a.body) != fmt.Sprintf(`{"id":"%s","file_offset":10}`, path[1:]) {
		t.Errorf("resume = %d %s", a.status, a.body)
	}
	if n := first.count(t, `select (select count(*) from discarded_objects) + (select count(*) from upload_parts)`); n != 0 {
		t.Errorf("%d parts or objects are left behind", n)
	}
}

func TestUploadRefuses(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	path := first.open(t, "file_length=10&file_type=image/png")
	id, _, _ := strings.Cut(path, "?")
	for _, tt := range []struct {
		name         string
		who          *partner
		method, path string
		status, code int
	}{
		{"no length", first, http.MethodPost, "/app/uploads?file_type=image/png", 400, 100},
		{"words for a length", first, http.MethodPost, "/app/uploads?file_type=image/png&file_length=ten", 400, 100},
		{"nothing to send", first, http.MethodPost, "/app/uploads?file_type=image/png&file_length=0", 400, 100},
		{"too large", first, http.MethodPost, "/app/uploads?file_type=image/png&file_length=104857601", 400, 100},
		{"no type", first, http.MethodPost, "/app/uploads?file_length=10", 400, 100},
		{"unsupported type", first, http.MethodPost, "/app/uploads?file_length=10&file_type=image/gif", 400, 100},
		{"NUL", first, http.MethodPost, "/app/uploads?file_length=10&file_type=image/png&file_name=%00", 400, 100},
		{"no signature", first, http.MethodPost, id, 403, 200},
		{"wrong signature", first, http.MethodPost, path + "x", 403, 200},
		{"signature of another session", first, http.MethodPost, "/upload:AAAA" + path[len("/upload:"):], 403, 200},
		{"another tenant", second, http.MethodPost, path, 403, 200},
		{"words for an offset", first, http.MethodPost, path, 400, 100},
	} {
		a := tt.who.call(t, tt.method, tt.path, "", "file_offset", map[bool]string{true: "ten"}[tt.name == "words for an offset"])
		if a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s: %d %s, want %d code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
	for _, tt := range []struct {
		who  *partner
		path string
	}{{second, id}, {first, "/upload:AAAA"}, {first, "/upload:" + strings.Repeat("~", 5000)}} {
		if a := tt.who.fetch(t, http.MethodGet, tt.path); a.status != 404 || a.code(t) != 803 {
			t.Errorf("resume of %.40s: %d %s", tt.path, a.status, a.body)
		}
	}
	if _, err := first.pool.Exec(t.Context(), `update uploads set expires_at = now()`); err != nil {
		t.Fatal(err)
	}
	if a := first.step(t, path, 0, "x"); a.status != 404 || a.code(t) != 803 {
		t.Errorf("a session that is over: %d %s", a.status, a.body)
	}
}

// A JSON body may carry what the query can, and a key repeats the answer.
func TestUploadSessionIsRepeatedUnderItsKey(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	body := `{"file_length":10,"file_type":"IMAGE/PNG","file_name":"lamp.png"}`
	a := first.call(t, http.MethodPost, "/app/uploads", body, "Idempotency-Key", "lamp")
	b := first.call(t, http.MethodPost, "/app/uploads?file_length=10&file_type=image/png&file_name=lamp.png", "", "Idempotency-Key", "lamp")
	if a.status != 200 || string(a.body) != string(b.body) || b.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%d %s, then %d %s", a.status, a.body, b.status, b.body)
	}
	if c := first.call(t, http.MethodPost, "/app/uploads?file_length=11&file_type=image/png", "", "Idempotency-Key", "lamp"); c.status != 400 || c.code(t) != 100 {
		t.Errorf("another file under the key: %d %s", c.status, c.body)
	}
}

// Of uploads that race for one offset, one wins and the others get the offset to
// go on.
// The announced type must be the type of the bytes, however they are cut.
func TestUploadOfAnotherType(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	for _, steps := range [][]string{{"<html></html>"}, {"%PDF", "-1.4 abcd"}, {"<", "html></html", ">"}} {
		path := first.open(t, "file_length=13&file_type=image/png")
		var last answer
		for at, i := 0, 0; i < len(steps); i++ {
			last = first.step(t, path, at, steps[i])
			at += len(steps[i])
		}
		if last.status != 400 || last.code(t) != 100 || !strings.Contains(string(last.body), "declared as image/png but its content is") {
			t.Errorf("%q = %d %s", steps, last.status, last.body)
		}
		if again := first.step(t, path, 13, ""); again.status != 400 {
			t.Errorf("%q: the last step again = %d %s", steps, again.status, again.body)
		}
	}
	if n := first.count(t, `select count(*) from uploads where object <> ''`); n != 0 {
		t.Errorf("%d uploads have a handle", n)
	}
}

func TestUploadStepsRace(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	path := first.open(t, "file_length=20&file_type=application/pdf")
	for _, offset := range []int{0, 10} {
		answers := make([]answer, 8)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() { answers[i] = first.step(t, path, offset, "%PDF-1.4xx") })
		}
		wg.Wait()
		stored := 0
		for _, a := range answers {
			switch {
			case a.status == 200:
				stored++
			case !strings.Contains(string(a.body), fmt.Sprintf("continue from file_offset %d", offset+10)) && !strings.Contains(string(a.body), "more arrived"):
				t.Errorf("a late step: %d %s", a.status, a.body)
			}
		}
		if stored != 1 {
			t.Errorf("%d of the steps at %d were stored, want 1", stored, offset)
		}
	}
	if n := first.count(t, `select count(*) from discarded_objects`); n != 0 {
		t.Errorf("%d objects are left behind", n)
	}
}
