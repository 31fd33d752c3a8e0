package messaging

import "heliograph/app/input"

// sentFile is a file, identified by either the id of an upload or a URL.
type sentFile struct {
	ID       input.Text `json:"id,omitempty"`
	Link     input.Text `json:"link,omitempty"`
	Caption  input.Text `json:"caption,omitempty"`
	Filename input.Text `json:"filename,omitempty"`
}

// Limits of a file in a message, in characters.
const (
	maxCaption  = 1024
	maxFilename = 255
)

// reviewMedia reviews the file of a message and copies only that from sent.
func (r *sendRequest) reviewMedia(v *review, sent *sendRequest) {
	var m *sentFile
	switch r.Type {
	case "image":
		r.Image = orEmpty(sent.Image)
		m = r.Image
	case "video":
		r.Video = orEmpty(sent.Video)
		m = r.Video
	case "audio":
		r.Audio = orEmpty(sent.Audio)
		m = r.Audio
	case "document":
		r.Document = orEmpty(sent.Document)
		m = r.Document
	case "sticker":
		r.Sticker = orEmpty(sent.Sticker)
		m = r.Sticker
	}
	kind := string(r.Type)
	m.review(v, kind, kind)
	if kind == "audio" || kind == "sticker" {
		m.Caption = ""
	}
	v.atMost(kind+".caption", m.Caption, maxCaption)
}

// review checks the limits of a file of a kind. The caller checks the caption,
// which only whole messages have.
func (m *sentFile) review(v *review, path, kind string) {
	switch {
	case m.ID == "" && m.Link == "":
		v.need(path+".id or "+path+".link", false)
	case m.ID != "" && m.Link != "":
		v.refuse(path, "%s must have id or link, not both", path)
	case m.ID != "":
		v.assets = append(v.assets, asset{path: path + ".id", id: string(m.ID), kind: kind})
	default:
		v.address(path+".link", m.Link)
	}
	if kind != "document" {
		m.Filename = ""
	}
	v.atMost(path+".filename", m.Filename, maxFilename)
}
