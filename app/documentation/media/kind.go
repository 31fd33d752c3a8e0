package media

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/gabriel-vasile/mimetype"

	"heliograph/app/documentation/media/picture"
	"heliograph/app/fault"
	"heliograph/db/models"
)

// The kinds of files.
const (
	Image    = "image"
	Video    = "video"
	Audio    = "audio"
	Document = "document"
)

const svg = "image/svg+xml"

// format is a type of file that the gallery accepts.
type format struct {
	mimeType   string // as it is served
	kind       string
	extensions []string // the first one is given to files that have another one
	seen       []string // what the content may be detected as, besides mimeType
	// byName is for texts, which their content does not tell apart: the extension
	// must be one of the list.
	byName bool
}

const office = "application/vnd.openxmlformats-officedocument."

var formats = []format{
	{mimeType: picture.JPEG, kind: Image, extensions: []string{".jpg", ".jpeg"}},
	{mimeType: picture.PNG, kind: Image, extensions: []string{".png"}, seen: []string{"image/vnd.mozilla.apng"}},
	{mimeType: picture.GIF, kind: Image, extensions: []string{".gif"}},
	{mimeType: picture.WebP, kind: Image, extensions: []string{".webp"}},
	{mimeType: svg, kind: Image, extensions: []string{".svg"}, seen: []string{"text/xml", "text/plain"}, byName: true},
	{mimeType: "video/mp4", kind: Video, extensions: []string{".mp4", ".m4v"}, seen: []string{"video/x-m4v"}},
	{mimeType: "video/webm", kind: Video, extensions: []string{".webm"}},
	{mimeType: "audio/mpeg", kind: Audio, extensions: []string{".mp3"}},
	{mimeType: "audio/mp4", kind: Audio, extensions: []string{".m4a"}, seen: []string{"audio/x-m4a"}},
	{mimeType: "audio/ogg", kind: Audio, extensions: []string{".ogg", ".oga", ".opus"}},
	{mimeType: "audio/wav", kind: Audio, extensions: []string{".wav"}},
	{mimeType: "audio/flac", kind: Audio, extensions: []string{".flac"}},
	{mimeType: "application/pdf", kind: Document, extensions: []string{".pdf"}},
	{mimeType: office + "wordprocessingml.document", kind: Document, extensions: []string{".docx"}},
	{mimeType: office + "spreadsheetml.sheet", kind: Document, extensions: []string{".xlsx"}},
	{mimeType: office + "presentationml.presentation", kind: Document, extensions: []string{".pptx"}},
	{mimeType: "application/zip", kind: Document, extensions: []string{".zip"}},
	{mimeType: "application/json", kind: Document, extensions: []string{".json"}, seen: []string{"text/plain"}, byName: true},
	{mimeType: "application/yaml", kind: Document, extensions: []string{".yaml", ".yml"}, seen: []string{"text/plain"}, byName: true},
	{mimeType: "text/csv", kind: Document, extensions: []string{".csv"}, seen: []string{"text/plain"}, byName: true},
	{mimeType: "text/markdown", kind: Document, extensions: []string{".md"}, seen: []string{"text/plain"}, byName: true},
	{mimeType: "text/plain", kind: Document, extensions: []string{".txt"}, byName: true},
}

// headSize is how many bytes are needed to detect the type of a file.
const headSize = 3072

// Accepted lists the extensions of accepted files, for forms.
func Accepted() string {
	var list []string
	for _, f := range formats {
		list = append(list, f.extensions...)
	}
	return strings.Join(list, ",")
}

// AcceptedImages lists the extensions of accepted images, for forms.
func AcceptedImages() string {
	var list []string
	for _, f := range formats {
		if f.kind == Image {
			list = append(list, f.extensions...)
		}
	}
	return strings.Join(list, ",")
}

// detect returns the format of a file by its first bytes. The name must agree: it may
// not promise another kind of file.
func detect(name string, head []byte) (format, error) {
	looks := mimetype.Detect(head)
	extension := strings.ToLower(path.Ext(name))
	found := slices.IndexFunc(formats, func(f format) bool {
		return f.is(looks) && (!f.byName || slices.Contains(f.extensions, extension))
	})
	if found < 0 {
		return format{}, fault.New(fault.Invalid, "Files of this type are not accepted (%s). Accepted are JPEG, PNG, GIF, WebP and SVG images, MP4 and WebM videos, MP3, M4A, OGG, WAV and FLAC audio, and PDF, Office, ZIP, TXT, CSV, MD, JSON and YAML documents.", describe(looks, extension))
	}
	f := formats[found]
	named := slices.IndexFunc(formats, func(f format) bool { return slices.Contains(f.extensions, extension) })
	if named < 0 && extension != "" || named >= 0 && formats[named].kind != f.kind {
		return format{}, fault.New(fault.Invalid, "The name ends with %s, but the content is %s. Rename the file or upload the right one.", extension, f.mimeType)
	}
	return f, nil
}

func describe(looks *mimetype.MIME, extension string) string {
	name, _, _ := strings.Cut(looks.String(), ";")
	if extension == "" {
		return name
	}
	return extension + ", " + name
}

func (f format) is(looks *mimetype.MIME) bool {
	return looks.Is(f.mimeType) || slices.ContainsFunc(f.seen, looks.Is)
}

// limit returns how large a file of the format may be, in bytes.
func (f format) limit(s models.MediaSettings) int64 {
	switch {
	case f.mimeType == svg:
		return min(picture.MaxSVG, s.Image)
	case f.kind == Image:
		return s.Image
	case f.kind == Video:
		return s.Video
	case f.kind == Audio:
		return s.Audio
	}
	return s.Document
}

// isRaster reports whether files of the format are re-encoded by a job.
func (f format) isRaster() bool { return f.kind == Image && f.mimeType != svg }

const maxName = 120 // characters

// fileName makes the name of an upload fit for addresses: the last part of its path,
// in lower case, with hyphens for everything but letters, digits and points. The
// extension is one of the format's.
func fileName(given string, f format) string {
	given = given[strings.LastIndexAny(given, `/\`)+1:]
	stem, extension := strings.TrimSuffix(given, path.Ext(given)), strings.ToLower(path.Ext(given))
	if !slices.Contains(f.extensions, extension) {
		extension = f.extensions[0]
	}
	return slug(stem, f.kind) + extension
}

// slug makes a name of letters, digits, points and hyphens.
func slug(text, fallback string) string {
	parts := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '_'
	})
	name := strings.Trim(strings.Join(parts, "-"), ".-_")
	if runes := []rune(name); len(runes) > maxName-10 {
		name = strings.TrimRight(string(runes[:maxName-10]), ".-_")
	}
	return cmp.Or(name, fallback)
}

// formatOf returns the format of a media type as it is served.
func formatOf(mimeType string) format {
	for _, f := range formats {
		if f.mimeType == mimeType {
			return f
		}
	}
	return format{mimeType: mimeType, kind: Document}
}
