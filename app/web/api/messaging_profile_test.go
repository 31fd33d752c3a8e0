package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	queries "heliograph/db/queries/channels"
)

// handle uploads a file in one step and returns its handle.
func (p *partner) handle(t *testing.T, mimeType, content string) string {
	t.Helper()
	path := p.open(t, fmt.Sprintf("file_length=%d&file_type=%s", len(content), mimeType))
	a := p.call(t, http.MethodPost, path, content, "Content-Type", mimeType)
	var done struct{ H string }
	if err := json.Unmarshal(a.body, &done); err != nil || a.status != 200 || done.H == "" {
		t.Fatalf("upload = %d %s", a.status, a.body)
	}
	return done.H
}

// setPicture sets the picture of the partner's profile.
func (p *partner) setPicture(t *testing.T, handle string) answer {
	t.Helper()
	body, err := json.Marshal(map[string]string{"messaging_product": "msgapp", "profile_picture_handle": handle})
	if err != nil {
		t.Fatal(err)
	}
	return p.call(t, http.MethodPost, p.number("/msgapp_business_profile"), string(body))
}

// picture returns the address of the partner's picture, or "".
func (p *partner) picture(t *testing.T) string {
	t.Helper()
	var got struct {
		Data []struct {
			URL string `json:"profile_picture_url"`
		}
	}
	a := p.call(t, http.MethodGet, p.number("/msgapp_business_profile"), "")
	if err := json.Unmarshal(a.body, &got); err != nil || len(got.Data) != 1 {
		t.Fatalf("profile = %d %s", a.status, a.body)
	}
	return got.Data[0].URL
}

// The picture of a profile outlives its upload, and another one takes its place.
func TestProfilePicture(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	for name, handle := range map[string]string{
		"nothing": "", "nonsense": "4::x", "an address": "https://example.com/lamp.png",
		"a document": first.handle(t, "application/pdf", pdfHead), "another tenant's": second.handle(t, "image/png", pngHead),
		"a large image": first.handle(t, "image/png", pngHead+strings.Repeat("x", 5<<20)),
	} {
		if a := first.setPicture(t, handle); a.status != 400 || a.code(t) != 100 || !strings.Contains(string(a.body), "profile_picture_handle") {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if url := first.picture(t); url != "" {
		t.Errorf("what was refused is the picture: %s", url)
	}
	first.exec(t, `delete from uploads`)
	if a := first.setPicture(t, first.handle(t, "image/png", pngHead+"lamp")); string(a.body) != `{"success":true}` {
		t.Fatalf("set = %d %s", a.status, a.body)
	}
	first.exec(t, `delete from uploads`)
	lamp := first.picture(t)
	if w := first.visit(t, lamp); w.Code != 200 || w.Header().Get("Content-Type") != "image/png" || w.Body.String() != pngHead+"lamp" {
		t.Errorf("%s = %d %q", lamp, w.Code, w.Body)
	}
	if bytes, err := queries.StoredBytes(t.Context(), first.pool, first.organisation(t)); err != nil || bytes != int64(len(pngHead+"lamp")) {
		t.Errorf("%d bytes count as stored, %v", bytes, err)
	}
	if a := first.setPicture(t, first.handle(t, "image/jpg", jpegHead+"wick")); a.status != 200 {
		t.Fatalf("another picture: %d %s", a.status, a.body)
	}
	wick := first.picture(t)
	if w := first.visit(t, wick); w.Code != 200 || w.Header().Get("Content-Type") != "image/jpeg" {
		t.Errorf("%s = %d %s", wick, w.Code, w.Header())
	}
	if w := first.visit(t, lamp); w.Code != 404 {
		t.Errorf("the picture before is still there: %d", w.Code)
	}
	if n := first.count(t, `select count(*) from discarded_objects d where not exists (select from profile_pictures p where p.object = d.object)`); n == 0 {
		t.Error("the file of the picture before is not discarded")
	}
	if a := first.call(t, http.MethodPost, first.number("/msgapp_business_profile"), `{"about":"Lamps"}`); a.status != 200 || first.picture(t) != wick {
		t.Errorf("another field changes the picture: %d %s", a.status, a.body)
	}
	first.exec(t, `update phone_numbers set removed_at = now()`)
	if w := first.visit(t, wick); w.Code != 404 {
		t.Errorf("the picture of a removed number: %d", w.Code)
	}
	if w := first.visit(t, "http://localhost:8080/pictures/"+strings.Repeat("A", 22)); w.Code != 404 {
		t.Errorf("an unknown picture: %d", w.Code)
	}
}
