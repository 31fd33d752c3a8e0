package messaging

// Media is a file, by the id of an upload or by its address: one of them.
type Media struct {
	ID       Text `json:"id,omitempty"`
	Link     Text `json:"link,omitempty"`
	Caption  Text `json:"caption,omitempty"`
	Filename Text `json:"filename,omitempty"`
}

// Limits of a file in a message, in characters.
const (
	maxCaption  = 1024
	maxFilename = 255
)

// media reviews a message that is a file and keeps it alone.
func (r *SendRequest) media(v *review, sent *SendRequest) {
	var m *Media
	switch r.Type {
	case "image":
		r.Image = given(sent.Image)
		m = r.Image
	case "video":
		r.Video = given(sent.Video)
		m = r.Video
	case "audio":
		r.Audio = given(sent.Audio)
		m = r.Audio
	case "document":
		r.Document = given(sent.Document)
		m = r.Document
	case "sticker":
		r.Sticker = given(sent.Sticker)
		m = r.Sticker
	}
	kind := string(r.Type)
	m.review(v, kind, kind)
	if kind == "audio" || kind == "sticker" {
		m.Caption = ""
	}
	v.atMost(kind+".caption", m.Caption, maxCaption)
}

// review holds a file of a kind against its limits. A caption belongs to whole
// messages: the caller looks at it.
func (m *Media) review(v *review, path, kind string) {
	switch {
	case m.ID == "" && m.Link == "":
		v.need(path+".id or "+path+".link", false)
	case m.ID != "" && m.Link != "":
		v.refuse(path, "%s takes id or link, not both", path)
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
