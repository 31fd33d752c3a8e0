package page

import (
	"encoding/json"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/keyring"
)

// kept is what a cookie of Keep holds, sealed.
type kept struct {
	Until time.Time       `json:"until"`
	Value json.RawMessage `json:"value"`
}

// Keep gives the browser a value to bring back for a while, sealed: it can
// neither read it nor change it. name is the cookie's.
func (g *Gate) Keep(c echo.Context, name string, value any, life time.Duration) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	text, err = json.Marshal(kept{time.Now().Add(life), text})
	if err != nil {
		return err
	}
	c.SetCookie(g.cookie(name, string(g.keyring.Seal(text, keepPlace(name))), life))
	return nil
}

// Kept fills value with what Keep gave the browser, and reports whether it is
// still there.
func (g *Gate) Kept(c echo.Context, name string, value any) bool {
	text, err := g.keyring.Open([]byte(g.read(c, name)), keepPlace(name))
	var k kept
	return err == nil && json.Unmarshal(text, &k) == nil && time.Now().Before(k.Until) && json.Unmarshal(k.Value, value) == nil
}

// Forget takes from the browser what Keep gave it.
func (g *Gate) Forget(c echo.Context, name string) { c.SetCookie(g.cookie(name, "", -time.Second)) }

func keepPlace(name string) string { return keyring.Place("cookie", name, "") }
