package login

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/identity"
)

// knownLife is how long a browser stays known after a sign-in.
const knownLife = 90 * 24 * time.Hour

// known is what a browser keeps, sealed, from which somebody signed in: an
// OWASP device cookie. Attempts from it count apart from those of all others,
// and no lock stops them. Otherwise anybody could keep somebody out for good by
// being wrong on purpose, a few times an hour.
type known struct {
	ID      string
	Email   string // in the form in which attempts are counted
	Version int    // of the sessions that were valid then
}

// cookie names what a browser keeps for the area.
func (h *Handlers) cookie() string { return "heliograph-known-" + string(h.Area.Surface) }

// known returns what the browser keeps of an address, or nothing.
func (h *Handlers) known(c echo.Context, email string) known {
	var k known
	if !h.Gate.Kept(c, h.cookie(), &k) || k.Email != counted(email) {
		return known{}
	}
	return k
}

// remember makes the browser known for whom it just signed in.
func (h *Handlers) remember(c echo.Context, email string, s *identity.Session) error {
	k := h.known(c, email)
	if k.ID == "" {
		k = known{ID: rand.Text(), Email: counted(email)}
	}
	k.Version = s.Version
	return h.Gate.Keep(c, h.cookie(), k, knownLife)
}

// counted is the form of an address in which attempts are counted.
func counted(email string) string { return strings.ToLower(strings.TrimSpace(email)) }
