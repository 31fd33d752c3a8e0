package login

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
)

// knownLife is how long a browser stays known after a sign-in.
const knownLife = 90 * 24 * time.Hour

// known is the content of an encrypted cookie of a browser that signed in before:
// an OWASP device cookie. Its attempts are counted apart from the attempts of other
// browsers. Otherwise an attacker could lock a user out with wrong passwords.
type known struct {
	ID      string
	Email   string // normalised as for counting attempts
	Version int    // session version at that time
}

// cookie returns the name of the cookie for the area.
func (h *Handlers) cookie() string { return "heliograph-known-" + string(h.Area.Surface) }

// known returns the content of the cookie for an email address, if there is one.
func (h *Handlers) known(c echo.Context, email string) known {
	var k known
	if !h.Gate.Kept(c, h.cookie(), &k) || k.Email != counted(email) {
		return known{}
	}
	return k
}

// remember makes the browser known for the user who has just signed in.
func (h *Handlers) remember(c echo.Context, email string, s *identity.Session) error {
	k := h.known(c, email)
	if k.ID == "" {
		k = known{ID: rand.Text(), Email: counted(email)}
	}
	k.Version = s.Version
	return h.Gate.Keep(c, h.cookie(), k, knownLife)
}

// counted normalises an email address for counting attempts.
func counted(email string) string { return strings.ToLower(strings.TrimSpace(email)) }
