package page

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
)

// streamStart is the field in the address of a stream that holds when its page was
// requested, in Unix milliseconds.
const streamStart = "since"

// stream returns the address of the events of a page, or an empty string.
func (v *visit) stream() string {
	if v.gate.stream == "" {
		return ""
	}
	return v.gate.stream + "?" + streamStart + "=" + strconv.FormatInt(v.start.UnixMilli(), 10)
}

// StreamStart returns when the page that asks for a stream was requested. It is the
// zero time of Unix if the address does not say so.
func StreamStart(c echo.Context) time.Time {
	at, err := strconv.ParseInt(c.QueryParam(streamStart), 10, 64)
	if err != nil {
		at = 0
	}
	return time.UnixMilli(at)
}
