package page

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/keyring"
)

// Where a request carries its token: a form in a field, htmx in a header.
const (
	TokenField  = "_csrf"
	TokenHeader = "X-CSRF-Token"
)

// A token is an HMAC over what it is bound to and some random bytes, followed
// by those bytes: each is different, none can be made elsewhere, and one of
// another session is worthless.
const (
	tokenMAC    = 32
	tokenRandom = 16
)

// Token returns the token for the forms of this page. It is bound to the session
// or, before there is one, to a random id that the browser keeps in a cookie;
// call it before rendering.
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
	token := r.Header.Get(TokenHeader)
	if token == "" {
		if err := parseForm(r); err != nil {
			return err
		}
		token = r.PostForm.Get(TokenField)
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != tokenMAC+tokenRandom || v.anchor == "" || !hmac.Equal(raw[:tokenMAC], v.mac(raw[tokenMAC:])) {
		return &fault.Error{
			Kind: fault.Forbidden, Code: "token", Title: "Nothing was changed",
			Message: "This form is out of date. Load the page again and repeat what you did.",
		}
	}
	return nil
}
