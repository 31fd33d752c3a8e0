package api_test

import (
	"net/http"
	"strings"
	"testing"

	"heliograph/app/channels/messaging"
)

// An organisation stores so much and no more, in media and uploads together. What
// it deletes makes room. A repeated upload counts once.
func TestStoredFilesHaveAQuota(t *testing.T) {
	t.Parallel()
	first, second := setupWith(t, func(o *messaging.Options) { o.Quotas.Stored = 3 << 20 })
	file := part{"sheet", "a.png", "image/png", pngHead + strings.Repeat("x", 1<<20)}
	ids := []string{first.upload(t, file, "Idempotency-Key", "one"), first.upload(t, file)}
	if again := first.upload(t, file, "Idempotency-Key", "one"); again != ids[0] {
		t.Errorf("the repeated upload is %s, want %s", again, ids[0])
	}
	first.open(t, "file_length=500000&file_type=image/png")
	refused := func() answer {
		body, kind := form(t, file)
		return first.call(t, http.MethodPost, first.number("/media"), body, "Content-Type", kind)
	}
	if a := refused(); a.status != 400 || a.code(t) != 131053 || !strings.Contains(string(a.body), "at most 3 MB can be stored") {
		t.Errorf("too much: %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodPost, "/app/uploads?file_length=600000&file_type=image/png", ""); a.status != 400 || a.code(t) != 131053 {
		t.Errorf("an upload of too much: %d %s", a.status, a.body)
	}
	second.upload(t, file)
	if a := first.call(t, http.MethodDelete, "/"+ids[1], ""); a.status != 200 {
		t.Fatalf("deleting: %d %s", a.status, a.body)
	}
	first.upload(t, file)
	if n := first.count(t, `select count(*) from media where organisation_id = (select organisation_id from phone_numbers where id = $1)`, first.sandbox.PhoneNumberID); n != 2 {
		t.Errorf("%d files are stored, want 2", n)
	}
}

// An organisation uploads so much on one day, although it deletes it again. What was
// refused does not count.
func TestUploadsOfADayHaveAQuota(t *testing.T) {
	t.Parallel()
	first, second := setupWith(t, func(o *messaging.Options) { o.Quotas.Daily = 2 << 20 })
	file := part{"sheet", "a.png", "image/png", pngHead + strings.Repeat("x", 900<<10)}
	for range 2 {
		if a := first.call(t, http.MethodDelete, "/"+first.upload(t, file), ""); a.status != 200 {
			t.Fatalf("deleting: %d %s", a.status, a.body)
		}
	}
	body, kind := form(t, file)
	a := first.call(t, http.MethodPost, first.number("/media"), body, "Content-Type", kind)
	if a.status != 400 || a.code(t) != 131053 || !strings.Contains(string(a.body), "on one day") || a.header.Get("Retry-After") == "" {
		t.Errorf("the third file: %d %v %s", a.status, a.header, a.body)
	}
	first.upload(t, part{"sheet", "b.png", "image/png", pngHead})
	second.upload(t, file)
	if _, err := first.pool.Exec(t.Context(), `update uploaded_bytes set day = day - 1`); err != nil {
		t.Fatal(err)
	}
	first.upload(t, file)
}
