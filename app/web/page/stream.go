package page

import (
	"strconv"
)

// stream returns the address of the events of a page, or an empty string. The
// field since is the time of the request in Unix milliseconds.
func (v *visit) stream() string {
	if v.gate.stream == "" {
		return ""
	}
	return v.gate.stream + "?since=" + strconv.FormatInt(v.start.UnixMilli(), 10)
}
