package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

func (w *walk) uploadMedia(p *player) {
	number := w.draw(p, "phone_number")
	content := pngHead + w.words(p)
	body, kind := form(w.t, part{pickOne(w, "sheet", "file"), p.marker + ".png", "image/png", content})
	a, ok := w.ask(p, "uploadMedia", request{method: http.MethodPost, path: "/" + number.id + "/media", body: body, contentType: kind, refs: []ref{number}, creates: true})
	if ok {
		var made struct{ ID string }
		w.decode(a, &made)
		p.adds("media", made.ID)
		p.known["media "+made.ID] = content
	}
}

func (w *walk) downloadMedia(p *player) {
	media := w.draw(p, "media")
	if a, ok := w.ask(p, "downloadMedia", request{method: http.MethodPost, path: "/downloadMedia/" + media.id, refs: []ref{media}, sure: true, file: true}); ok {
		w.knows(p, "media "+media.id, string(a.body))
	}
}

// getObject asks for anything that has an id of its own.
func (w *walk) getObject(p *player) {
	object := w.draw(p, pickOne(w, "media", "template", "business_account", "business_account", "phone_number", "catalogue", "business"))
	id := map[string]string{"media": "getMedia", "template": "getTemplate", "business_account": "getBusinessAccount", "phone_number": "getPhoneNumber"}[object.kind]
	if object.origin == misused { // another kind is as good
		object.origin, id = own, ""
	}
	a, ok := w.ask(p, id, request{method: http.MethodGet, path: "/" + object.id + pickOne(w, "", "/", "?fields=id,url,status"), refs: []ref{object}, sure: id != ""})
	if !ok {
		return
	}
	var got struct{ ID, URL, Status string }
	w.decode(a, &got)
	switch {
	case got.ID != object.id:
		w.t.Errorf("object %s calls itself %s", object.id, got.ID)
	case id == "getMedia":
		_, path, _ := strings.Cut(got.URL, "/v3")
		p.adds("attachment", path)
	case id == "getTemplate" && got.Status != w.status[got.ID]:
		w.t.Errorf("template %s says %s and is %s", got.ID, got.Status, w.status[got.ID])
	}
}

func (w *walk) getAttachment(p *player) {
	link := w.draw(p, "attachment")
	path, err := url.PathUnescape(link.id)
	if err != nil || link.origin == unknown || link.origin == malformed || link.origin == misused {
		path = "/msgapp_business/attachments/?mid=" + link.id + "&ext=9999999999&hash=x"
	}
	if a, ok := w.ask(p, "getAttachment", request{method: http.MethodGet, path: path, refs: []ref{link}, sure: true, file: true}); ok {
		media, _, _ := strings.Cut(strings.TrimPrefix(path, "/msgapp_business/attachments/?mid="), "&")
		w.knows(p, "media "+media, string(a.body))
	}
}

func (w *walk) deleteMedia(p *player) {
	media := w.draw(p, "media")
	if media.origin == misused {
		return // what else an id deletes has an operation of its own
	}
	if _, ok := w.ask(p, "deleteMedia", request{method: http.MethodDelete, path: "/" + media.id, refs: []ref{media}, sure: true}); ok {
		p.loses("media", func(id string) bool { return id == media.id })
		p.loses("attachment", func(path string) bool { return strings.Contains(path, "mid="+media.id+"&") })
	}
}

// pieceSize is the length of the files that are uploaded in two steps.
const pieceSize = 60

func (w *walk) createUploadSession(p *player) {
	query := url.Values{"file_length": {fmt.Sprint(pieceSize)}, "file_type": {"image/png"}, "file_name": {w.words(p)}}
	if a, ok := w.ask(p, "createUploadSession", request{method: http.MethodPost, path: "/app/uploads?" + query.Encode(), sure: true, creates: true}); ok {
		var made struct{ ID string }
		w.decode(a, &made)
		p.adds("session", made.ID)
	}
}

// session draws the path of an upload session.
func (w *walk) session(p *player) (path string, r ref) {
	r = w.draw(p, "session")
	path, err := url.PathUnescape(r.id)
	if err != nil || !strings.HasPrefix(path, "upload:") {
		path = "upload:" + r.id
	}
	return "/" + path, r
}

func (w *walk) getUpload(p *player) {
	path, r := w.session(p)
	path, _, _ = strings.Cut(path, "?")
	w.ask(p, "getUpload", request{method: http.MethodGet, path: path + "/", refs: []ref{r}, sure: true, file: true})
}

func (w *walk) uploadFile(p *player) {
	path, r := w.session(p)
	offset := w.n(2) * pieceSize / 2
	if r.origin != own { // its signature is wrong, whether it exists or not
		r = ref{id: r.id, kind: "phone_number", origin: foreign}
	}
	content := []byte(pngHead + p.marker + strings.Repeat("x", pieceSize))[offset : offset+pieceSize/2]
	if offset > 0 {
		path += "&" // the query may go on
	}
	a := w.send(p, request{method: http.MethodPost, path: path, body: string(content)}, []string{"Content-Type", "image/png", "file_offset", fmt.Sprint(offset)})
	want := request{refs: []ref{r}}
	if !want.wants(a.status) {
		w.t.Errorf("uploading at %d to %s, %s: %d %s", offset, path, r.origin, a.status, a.body)
	}
	if a.status == http.StatusOK {
		w.done["uploadFile"]++
		var step struct{ H string }
		if w.decode(a, &step); step.H != "" {
			p.adds("handle", step.H)
		}
	}
}
