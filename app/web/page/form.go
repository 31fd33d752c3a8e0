package page

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
)

// formMemory is how much of a form with files is held in memory, in bytes; the
// rest goes to temporary files.
const formMemory = 1 << 20

// parseForm reads the body once, whatever kind of form it is. What the address
// says is no part of a form, or a link could fill in what its page leaves out.
func parseForm(r *http.Request) error {
	err := r.ParseForm()
	if err == nil && strings.HasPrefix(r.Header.Get(echo.HeaderContentType), echo.MIMEMultipartForm) {
		err = r.ParseMultipartForm(formMemory)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		r.Form = r.PostForm
		return legible(r.Form)
	case errors.As(err, &tooLarge):
		return err
	}
	return &fault.Error{Kind: fault.Invalid, Message: "The form could not be read. Load the page again and repeat what you did.", Err: err}
}

// legible refuses what no field of a browser sends and no column of text holds:
// bytes that are not UTF-8, and NUL.
func legible(values url.Values) error {
	for _, list := range values {
		for _, text := range list {
			if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
				return fault.New(fault.Invalid, "What was sent holds characters that are no text. Type it again without them.")
			}
		}
	}
	return nil
}

// Bind fills dst, a pointer to a struct with form tags, from the form in the
// body. A body of another kind holds no fields: JSON and XML would be bound past
// the tags and past what forms are checked for.
func Bind(c echo.Context, dst any) error {
	if err := parseForm(c.Request()); err != nil {
		return err
	}
	if len(c.Request().PostForm) == 0 {
		return nil
	}
	if err := (&echo.DefaultBinder{}).BindBody(c, dst); err != nil {
		return fault.New(fault.Invalid, "The form could not be read. Load the page again and repeat what you did.")
	}
	return nil
}

// Problems are what is wrong with a form that was sent, for showing it again.
type Problems struct {
	Fields map[string]string // field name → what to change
	Form   string            // about the form as a whole; empty when the fields say it all
}

// Again has a form shown again with what is wrong, so that nothing typed is
// lost: with 422 what changing it mends, with 409 what changed meanwhile, and
// with their own status and the header that says when what only time mends.
// Every other error is returned.
func Again(c echo.Context, err error, show func(status int, problems *Problems) error) error {
	f := fault.As(err)
	if f == nil {
		return err
	}
	switch f.Kind {
	case fault.Invalid, fault.Unauthenticated:
		return show(http.StatusUnprocessableEntity, problemsOf(f))
	case fault.Conflict:
		return show(http.StatusConflict, problemsOf(f))
	case fault.Limited, fault.Unavailable:
		if f.Err == nil && f.RetryAfter > 0 {
			RetryAfter(c, f.RetryAfter)
			return show(Status(f), problemsOf(f))
		}
	}
	return err
}

func problemsOf(f *fault.Error) *Problems {
	p := &Problems{Fields: map[string]string{}}
	for _, field := range f.Fields {
		p.Fields[field.Name] = field.Message
	}
	if len(p.Fields) == 0 {
		p.Form = f.Message
	}
	return p
}

// RetryAfter says in the answer when to try again, in whole seconds upwards
// (RFC 9110, 10.2.3).
func RetryAfter(c echo.Context, wait time.Duration) {
	seconds := int((wait + time.Second - time.Nanosecond) / time.Second)
	c.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(seconds))
}
