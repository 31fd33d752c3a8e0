package storage

import (
	"regexp"
	"strings"

	"heliograph/app/fault"
)

// Key names an object as kind/id. The id is one that Heliograph made, so a
// name that a user chose never reaches a path or a URL. Keys compare with ==.
// The zero Key is not valid.
type Key struct{ text string }

const (
	media   = "media/"
	uploads = "uploads/"
	qrCodes = "qr-codes/"
	audits  = "audits/"
)

// MediaKey names a file that partners or editors put into messages and pages.
// The id has 1 to 64 of a–z, 0–9 and, but for the first, hyphens: a number, a
// UUID in lower case. Every use of the key is refused if the id is not so.
func MediaKey(id string) Key { return Key{media + id} }

// UploadKey names a file on its way in, such as a document to import. The id
// is as for MediaKey.
func UploadKey(id string) Key { return Key{uploads + id} }

// QRCodeKey names the image of a QR code. The id is as for MediaKey.
func QRCodeKey(id string) Key { return Key{qrCodes + id} }

// AuditKey names a record of what the audit was. The id is as for MediaKey.
func AuditKey(id string) Key { return Key{audits + id} }

// ParseKey reads back the text of a key, as kept in the database. Any other
// text is a fault Invalid.
func ParseKey(text string) (Key, error) {
	k := Key{text}
	return k, k.check()
}

// String returns the text of the key, as ParseKey takes it.
func (k Key) String() string { return k.text }

var keyPattern = regexp.MustCompile(`^(?:media|uploads|qr-codes|audits)/[a-z0-9][a-z0-9-]{0,63}$`)

func (k Key) check() error {
	if !keyPattern.MatchString(k.text) {
		return fault.New(fault.Invalid, "This is not the name of a stored file.")
	}
	return nil
}

// kind is the first segment of a valid key.
func (k Key) kind() string {
	kind, _, _ := strings.Cut(k.text, "/")
	return kind
}
