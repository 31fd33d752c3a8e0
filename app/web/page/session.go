package page

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/people/identity"
)

// visitorCookie holds the random id of a browser before anybody signs in.
const visitorCookie = "heliograph-visitor"

// cookie makes a cookie of the area. Over https its name begins with __Host-,
// so that no other host or path can set it (RFC 6265bis, 4.1.3.2).
func (g *Gate) cookie(name, value string, life time.Duration) *http.Cookie {
	if g.https {
		name = "__Host-" + name
	}
	return &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()),
		Secure: g.https, HttpOnly: true, SameSite: g.area.sameSite,
	}
}

func (g *Gate) read(c echo.Context, name string) string {
	cookie, err := c.Cookie(g.cookie(name, "", 0).Name)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// payload is the content of a session cookie without its signature. Times are Unix
// seconds.
type payload struct {
	ID       string `json:"sid"`
	UserID   int64  `json:"uid"`
	Version  int    `json:"sv"`
	IssuedAt int64  `json:"iat"`
	Expires  int64  `json:"exp"`
}

// Begin stores a new session in the browser and ends the previous one, unless it
// has already ended.
func (g *Gate) Begin(c echo.Context, s *identity.Session) error {
	if had := visitOf(c).session; had.ID != "" && (had.UserID != s.UserID || had.Version == s.Version) {
		if err := g.directory.SignOut(c.Request().Context(), had); err != nil {
			return err
		}
	}
	text, err := json.Marshal(payload{s.ID, s.UserID, s.Version, s.IssuedAt.Unix(), s.ExpiresAt.Unix()})
	if err != nil {
		return err
	}
	visitOf(c).changed = true
	value := base64.RawURLEncoding.EncodeToString(text)
	signed := value + "." + base64.RawURLEncoding.EncodeToString(keyring.MAC(g.sessions, value))
	c.SetCookie(g.cookie(g.area.cookie, signed, identity.SessionLife))
	return nil
}

// End removes the session from the browser. The identity package ends the session
// itself.
func (g *Gate) End(c echo.Context) {
	if v, _ := c.Get(visitKey).(*visit); v != nil {
		v.changed = true
	}
	c.SetCookie(g.cookie(g.area.cookie, "", -time.Second))
}

// identify looks the session of a request up. An ended session is no session.
func (g *Gate) identify(c echo.Context) (*visit, error) {
	v := &visit{gate: g, anchor: g.read(c, visitorCookie), start: time.Now()}
	signed := g.read(c, g.area.cookie)
	if signed == "" {
		return v, nil
	}
	s, ok := g.open(signed)
	if !ok {
		g.End(c)
		return v, nil
	}
	resume := g.directory.Resume
	if IsLive(c) {
		resume = g.directory.Peek
	}
	user, err := resume(c.Request().Context(), s)
	if fault.Is(err, fault.Unauthenticated) {
		g.End(c)
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.session, v.user, v.anchor = s, user, s.ID
	return v, nil
}

// Recognize returns the user of the area's session, nil where there is none. It is for
// pages of another area.
func (g *Gate) Recognize(c echo.Context) (*identity.User, error) {
	s, ok := g.open(g.read(c, g.area.cookie))
	if !ok {
		return nil, nil
	}
	user, err := g.directory.Peek(c.Request().Context(), s)
	if fault.Is(err, fault.Unauthenticated) {
		return nil, nil
	}
	return user, err
}

// open parses a cookie of Begin that has not expired.
func (g *Gate) open(signed string) (identity.Session, bool) {
	value, encoded, _ := strings.Cut(signed, ".")
	mac, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || !hmac.Equal(mac, keyring.MAC(g.sessions, value)) {
		return identity.Session{}, false
	}
	var p payload
	text, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil || json.Unmarshal(text, &p) != nil {
		return identity.Session{}, false
	}
	s := identity.Session{
		ID: p.ID, Surface: g.area.Surface, UserID: p.UserID, Version: p.Version,
		IssuedAt: time.Unix(p.IssuedAt, 0), ExpiresAt: time.Unix(p.Expires, 0),
	}
	return s, time.Now().Before(s.ExpiresAt)
}
