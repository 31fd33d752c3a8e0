package messaging

import (
	"cmp"
	"fmt"
	"mime"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"heliograph/app/fault"
)

// mediaType is a type of file that the channel supports.
type mediaType struct {
	name     string
	kind     string   // with its article, for messages
	limit    int64    // bytes
	alsoSeen []string // other types that the first bytes of a valid file may be detected as
}

const (
	mb       = 1 << 20
	MaxMedia = 100 * mb  // bytes of the largest file of any type
	maxStill = 100 << 10 // bytes of a sticker that is not animated

	// headSize is how many bytes are needed to detect the type of a file.
	headSize = 3072
)

const (
	unknownType = "application/octet-stream"
	office      = "application/vnd.openxmlformats-officedocument."
	compound    = "application/x-ole-storage" // the format of Office until 2003
)

var mediaTypes = []mediaType{
	{"image/jpeg", "an image", 5 * mb, nil},
	{"image/png", "an image", 5 * mb, nil},
	{"image/webp", "a sticker", 500 << 10, nil},
	{"audio/aac", "an audio file", 16 * mb, []string{unknownType}}, // not every frame header is distinctive
	{"audio/amr", "an audio file", 16 * mb, nil},
	{"audio/mpeg", "an audio file", 16 * mb, []string{unknownType}},
	{"audio/mp4", "an audio file", 16 * mb, []string{"audio/x-m4a", "video/mp4"}}, // one container
	{"audio/ogg", "an audio file", 16 * mb, []string{"application/ogg"}},
	{"video/mp4", "a video", 16 * mb, nil},
	{"video/3gpp", "a video", 16 * mb, []string{"video/mp4"}},
	{"application/pdf", "a document", MaxMedia, nil},
	{"text/plain", "a document", MaxMedia, nil},
	{"application/msword", "a document", MaxMedia, []string{compound}},
	{"application/vnd.ms-excel", "a document", MaxMedia, []string{compound}},
	{"application/vnd.ms-powerpoint", "a document", MaxMedia, []string{compound}},
	{office + "wordprocessingml.document", "a document", MaxMedia, []string{"application/zip"}},
	{office + "spreadsheetml.sheet", "a document", MaxMedia, []string{"application/zip"}},
	{office + "presentationml.presentation", "a document", MaxMedia, []string{"application/zip"}},
}

// unknownMedia is used while the type of a file is not known.
var unknownMedia = mediaType{kind: "a file", limit: MaxMedia}

// mediaAliases maps other names of types to the name that is stored.
var mediaAliases = map[string]string{"image/jpg": "image/jpeg", "audio/mp3": "audio/mpeg", "audio/m4a": "audio/mp4", "audio/x-m4a": "audio/mp4", "application/ogg": "audio/ogg"}

// canonicalType returns a declared type in lower case, without parameters. It is
// empty for application/octet-stream.
func canonicalType(declared string) string {
	name, _, err := mime.ParseMediaType(declared)
	if err != nil {
		name = strings.ToLower(strings.TrimSpace(declared))
	}
	if alias, ok := mediaAliases[name]; ok {
		return alias
	}
	if name == unknownType {
		return ""
	}
	return name
}

// checkMediaType returns the type of a file. It is the declared type if the
// first bytes match it, or the detected type if none is declared. Errors have
// code 100.
func checkMediaType(declared string, head []byte) (mediaType, error) {
	looks := mimetype.Detect(head)
	name := canonicalType(declared)
	if name == "" {
		name = canonicalType(detectedType(looks))
	}
	i := slices.IndexFunc(mediaTypes, func(t mediaType) bool { return t.name == name })
	if i < 0 {
		return mediaType{}, unsupportedMedia(name)
	}
	t := mediaTypes[i]
	if !t.matches(looks) {
		return t, reject(codeInvalid, "sheet", "the file is declared as %s but its content is %s: declare the actual type", t.name, looks)
	}
	if t.name == "image/webp" && !isAnimated(head) {
		t.limit = maxStill
	}
	return t, nil
}

// detectedType returns the supported type that was detected or is a parent of
// the detected one.
func detectedType(looks *mimetype.MIME) string {
	if name := canonicalType(looks.String()); looks.Is("audio/x-m4a") {
		return name
	}
	for m := looks; m != nil; m = m.Parent() {
		for _, t := range mediaTypes {
			if m.Is(t.name) {
				return t.name
			}
		}
	}
	return looks.String()
}

func (t mediaType) matches(looks *mimetype.MIME) bool {
	if slices.ContainsFunc(t.alsoSeen, looks.Is) {
		return true
	}
	for m := looks; m != nil; m = m.Parent() {
		if m.Is(t.name) {
			return true
		}
	}
	return false
}

// isAnimated reports whether the extended header of a WebP file says that it is
// animated.
func isAnimated(head []byte) bool {
	return len(head) > 20 && string(head[12:16]) == "VP8X" && head[20]&0x02 != 0
}

func (t mediaType) tooLarge() error {
	size := fmt.Sprintf("%d kB", t.limit>>10)
	if t.limit >= mb {
		size = fmt.Sprintf("%d MB", t.limit/mb)
	}
	f := fault.As(reject(codeInvalid, "sheet", "%s can have at most %s: send a smaller file", t.kind, size))
	f.Message = "File is too large"
	return f
}

func unsupportedMedia(name string) error {
	main, _, _ := strings.Cut(name, "/")
	var near, all []string
	for _, t := range mediaTypes {
		all = append(all, t.name)
		if strings.HasPrefix(t.name, main+"/") {
			near = append(near, t.name)
		}
	}
	if len(near) == 0 || main == "application" || main == "text" {
		near = all // a document is the least of what may have been meant
	}
	f := fault.As(reject(codeInvalid, "type", "send one of %s", strings.Join(near, ", ")))
	f.Message = "Unsupported media type " + cmp.Or(printable(name, 100), unknownType)
	return f
}
