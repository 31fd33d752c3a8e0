package page

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/keyring"
)

// The field of forms and the header of htmx that carry the token.
const (
	TokenField  = "_csrf"
	tokenHeader = "X-CSRF-Token"
)

// A token is an HMAC over its session and random bytes, followed by the random
// bytes. Every token is different, and a token of another session is invalid.
const (
	tokenMAC    = 32
	tokenRandom = 16
)

// Token returns the token for the forms of this page. It is bound to the session
// or, without one, to a random id in a cookie. Call it before rendering.
func Token(c echo.Context) string {
	v := visitOf(c)
	if v.token != "" {
		return v.token
	}
	if v.anchor == "" {
		v.anchor = randomText(16)
		// Until the browser is closed.
		c.SetCookie(v.gate.cookie(visitorCookie, v.anchor, 0))
	}
	random := make([]byte, tokenRandom)
	rand.Read(random) //nolint:errcheck // never fails: crypto/rand ends the process instead
	v.token = base64.RawURLEncoding.EncodeToString(append(v.mac(random), random...))
	return v.token
}

func (v *visit) mac(random []byte) []byte {
	return keyring.MAC(v.gate.tokens, v.anchor, string(random))
}

func (v *visit) checkToken(c echo.Context) error {
	r := c.Request()
	if safe(r.Method) {
		return nil
	}
	token := r.Header.Get(tokenHeader)
	switch {
	case token != "":
	case isStreamed(c):
		var err error
		if token, err = v.firstToken(c); err != nil {
			return err
		}
	default:
		if err := parseForm(r); err != nil {
			return err
		}
		token = r.PostForm.Get(TokenField)
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != tokenMAC+tokenRandom || v.anchor == "" || !hmac.Equal(raw[:tokenMAC], v.mac(raw[tokenMAC:])) {
		return &fault.Error{
			Kind: fault.Forbidden, Code: "token", Title: "Nothing was changed",
			Message: "This form is out of date. Load the page again and repeat your change.",
		}
	}
	return nil
}
