package page

import (
	"io"
	"mime/multipart"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
)

// streamKey marks a route with a form that is read part by part.
const streamKey = "page.stream"

// maxToken is more than a form token has, in bytes.
const maxToken = 1 << 10

// Streamed makes a route read its multipart form part by part with Parts, so that
// files of any size need no memory. Without script the token must be the first
// field of the form.
func Streamed(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Set(streamKey, true)
		return next(c)
	}
}

// Parts returns the parts of the form of a Streamed route, after the token.
func Parts(c echo.Context) (*multipart.Reader, error) {
	v := visitOf(c)
	if v.parts == nil {
		var err error
		if v.parts, err = openParts(c); err != nil {
			return nil, err
		}
	}
	return v.parts, nil
}

func openParts(c echo.Context) (*multipart.Reader, error) {
	r := c.Request()
	if r.Header.Get(echo.HeaderContentEncoding) != "" {
		return nil, fault.New(fault.Unsupported, "Compressed forms are not accepted. Send the form without Content-Encoding.")
	}
	r.Body = pacedBody{r.Body, NewPace(c.Response())}
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, &fault.Error{Kind: fault.Unsupported, Message: "The form must be sent as multipart/form-data. Load the page again and repeat your change.", Err: err}
	}
	return parts, nil
}

// firstToken returns the token in the first part of a streamed form.
func (v *visit) firstToken(c echo.Context) (string, error) {
	parts, err := Parts(c)
	if err != nil {
		return "", err
	}
	part, err := parts.NextPart()
	if err != nil || part.FormName() != TokenField {
		return "", nil //nolint:nilerr // refused as a form without a token
	}
	token, err := io.ReadAll(io.LimitReader(part, maxToken))
	return string(token), err
}

// isStreamed reports whether the form of a request is read part by part.
func isStreamed(c echo.Context) bool {
	streamed, _ := c.Get(streamKey).(bool)
	return streamed && strings.HasPrefix(c.Request().Header.Get(echo.HeaderContentType), echo.MIMEMultipartForm)
}
