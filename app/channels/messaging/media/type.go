package media

import (
	"cmp"
	"fmt"
	"mime"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/fault"
)

// Type is a type of file that the channel supports.
type Type struct {
	Name     string   // as it is stored, such as image/jpeg
	kind     string   // with its article, for messages
	Limit    int64    // bytes
	alsoSeen []string // other types that the first bytes of a valid file may be detected as
}

const (
	// MB is a megabyte, in bytes.
	MB = 1 << 20
	// MaxSize is the size of the largest file of any type, in bytes.
	MaxSize  = 100 * MB
	maxStill = 100 << 10 // bytes of a sticker that is not animated

	// HeadSize is how many bytes are needed to detect the type of a file.
	HeadSize = 3072
)

const (
	// UnknownType is declared for a file of no known type.
	UnknownType = "application/octet-stream"
	office      = "application/vnd.openxmlformats-officedocument."
	compound    = "application/x-ole-storage" // the format of Office until 2003
)

var types = []Type{
	{"image/jpeg", "an image", 5 * MB, nil},
	{"image/png", "an image", 5 * MB, nil},
	{"image/webp", "a sticker", 500 << 10, nil},
	{"audio/aac", "an audio file", 16 * MB, []string{UnknownType}}, // not every frame header is distinctive
	{"audio/amr", "an audio file", 16 * MB, nil},
	{"audio/mpeg", "an audio file", 16 * MB, []string{UnknownType}},
	{"audio/mp4", "an audio file", 16 * MB, []string{"audio/x-m4a", "video/mp4"}}, // one container
	{"audio/ogg", "an audio file", 16 * MB, []string{"application/ogg"}},
	{"video/mp4", "a video", 16 * MB, nil},
	{"video/3gpp", "a video", 16 * MB, []string{"video/mp4"}},
	{"application/pdf", "a document", MaxSize, nil},
	{"text/plain", "a document", MaxSize, nil},
	{"application/msword", "a document", MaxSize, []string{compound}},
	{"application/vnd.ms-excel", "a document", MaxSize, []string{compound}},
	{"application/vnd.ms-powerpoint", "a document", MaxSize, []string{compound}},
	{office + "wordprocessingml.document", "a document", MaxSize, []string{"application/zip"}},
	{office + "spreadsheetml.sheet", "a document", MaxSize, []string{"application/zip"}},
	{office + "presentationml.presentation", "a document", MaxSize, []string{"application/zip"}},
}

// unknown is used while the type of a file is not known.
var unknown = Type{kind: "a file", Limit: MaxSize}

// aliases maps other names of types to the name that is stored.
var aliases = map[string]string{"image/jpg": "image/jpeg", "audio/mp3": "audio/mpeg", "audio/m4a": "audio/mp4", "audio/x-m4a": "audio/mp4", "application/ogg": "audio/ogg"}

// CanonicalType returns a declared type in lower case, without parameters. It is
// empty for application/octet-stream.
func CanonicalType(declared string) string {
	name, _, err := mime.ParseMediaType(declared)
	if err != nil {
		name = strings.ToLower(strings.TrimSpace(declared))
	}
	if alias, ok := aliases[name]; ok {
		return alias
	}
	if name == UnknownType {
		return ""
	}
	return name
}

// CheckType returns the type of a file. It is the declared type if the
// first bytes match it, or the detected type if none is declared. Errors have
// code 100.
func CheckType(declared string, head []byte) (Type, error) {
	looks := mimetype.Detect(head)
	name := CanonicalType(declared)
	if name == "" {
		name = CanonicalType(detectedType(looks))
	}
	i := slices.IndexFunc(types, func(t Type) bool { return t.Name == name })
	if i < 0 {
		return Type{}, unsupported(name)
	}
	t := types[i]
	if !t.matches(looks) {
		return t, refusal.New(refusal.Invalid, "sheet", "the file is declared as %s but its content is %s: declare the actual type", t.Name, looks)
	}
	if t.Name == "image/webp" && !isAnimated(head) {
		t.Limit = maxStill
	}
	return t, nil
}

// detectedType returns the supported type that was detected or is a parent of
// the detected one.
func detectedType(looks *mimetype.MIME) string {
	if name := CanonicalType(looks.String()); looks.Is("audio/x-m4a") {
		return name
	}
	for m := looks; m != nil; m = m.Parent() {
		for _, t := range types {
			if m.Is(t.Name) {
				return t.Name
			}
		}
	}
	return looks.String()
}

func (t Type) matches(looks *mimetype.MIME) bool {
	if slices.ContainsFunc(t.alsoSeen, looks.Is) {
		return true
	}
	for m := looks; m != nil; m = m.Parent() {
		if m.Is(t.Name) {
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

func (t Type) tooLarge() error {
	size := fmt.Sprintf("%d kB", t.Limit>>10)
	if t.Limit >= MB {
		size = fmt.Sprintf("%d MB", t.Limit/MB)
	}
	f := fault.As(refusal.New(refusal.Invalid, "sheet", "%s can have at most %s: send a smaller file", t.kind, size))
	f.Message = "File is too large"
	return f
}

func unsupported(name string) error {
	main, _, _ := strings.Cut(name, "/")
	var near, all []string
	for _, t := range types {
		all = append(all, t.Name)
		if strings.HasPrefix(t.Name, main+"/") {
			near = append(near, t.Name)
		}
	}
	if len(near) == 0 || main == "application" || main == "text" {
		near = all // a document is the least of what may have been meant
	}
	f := fault.As(refusal.New(refusal.Invalid, "type", "send one of %s", strings.Join(near, ", ")))
	f.Message = "Unsupported media type " + cmp.Or(Printable(name, 100), UnknownType)
	return f
}
