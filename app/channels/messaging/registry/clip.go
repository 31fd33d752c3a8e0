package registry

import "strings"

// ClipID returns an id that can be stored, empty for one that cannot.
func ClipID(id string) string {
	if len(id) > maxUpstreamID || strings.ContainsRune(id, 0) {
		return ""
	}
	return id
}

const maxUpstreamID = 200
