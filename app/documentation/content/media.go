package content

import "net/url"

// MediaHashLength is how many digits of the hash a fixed address of a file has.
const MediaHashLength = 16

// MediaAddress returns the public address of a file of the gallery, which serves its
// current bytes.
func MediaAddress(id, name string) string { return "/media/" + id + "/" + url.PathEscape(name) }

// FixedMediaAddress returns the address of bytes of a file that never change.
func FixedMediaAddress(id, sha256, name string) string {
	return "/media/" + id + "/" + sha256[:min(len(sha256), MediaHashLength)] + "/" + url.PathEscape(name)
}
