package page

import (
	"encoding/json"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/keyring"
)

// kept is the encrypted content of a cookie of Keep.
type kept struct {
	Until time.Time       `json:"until"`
	Value json.RawMessage `json:"value"`
}

// Keep stores an encrypted value in a cookie for a while. name is the name of the
// cookie.
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

// Kept sets value to the value of Keep and reports whether it exists.
func (g *Gate) Kept(c echo.Context, name string, value any) bool {
	text, err := g.keyring.Open([]byte(g.read(c, name)), keepPlace(name))
	var k kept
	return err == nil && json.Unmarshal(text, &k) == nil && time.Now().Before(k.Until) && json.Unmarshal(k.Value, value) == nil
}

// Forget removes the value of Keep.
func (g *Gate) Forget(c echo.Context, name string) { c.SetCookie(g.cookie(name, "", -time.Second)) }

func keepPlace(name string) string { return keyring.Place("cookie", name, "") }
