package page

import "github.com/labstack/echo/v4"

// Refused says that a request to a channel API was refused. The key that was accepted is
// named by its id. Any other is named by its prefix and its hash; without a key both are
// empty.
type Refused struct {
	Channel      string
	Status, Code int
	KeyID        int64
	KeyPrefix    string
	KeyHash      []byte
}

const refusedKey = "page.refused"

// Refuse notes that a request is refused, for the log of refused calls.
func Refuse(c echo.Context, r Refused) { c.Set(refusedKey, &r) }

// RefusedOf returns what Refuse noted, or nil.
func RefusedOf(c echo.Context) *Refused {
	r, _ := c.Get(refusedKey).(*Refused)
	return r
}
