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
	"heliograph/views/ui"
)

// formMemory is how much of a form with files is held in memory, in bytes. No route
// takes a larger form, so that nothing goes to temporary files.
const formMemory = 16 << 20

// parseForm parses a body of any form encoding once. The query is not part of the
// form, or a link could set fields that the page does not have.
func parseForm(r *http.Request) error {
	if r.Header.Get(echo.HeaderContentEncoding) != "" {
		return fault.New(fault.Unsupported, "Compressed forms are not accepted. Send the form without Content-Encoding.")
	}
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
	return &fault.Error{Kind: fault.Invalid, Message: "The form is not valid. Load the page again and repeat your change.", Err: err}
}

// legible refuses bytes that are not UTF-8 and NUL, which no field of a browser
// sends and no text column stores.
func legible(values url.Values) error {
	for _, list := range values {
		for _, text := range list {
			if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
				return fault.New(fault.Invalid, "Some values contain characters that are not text. Enter them without these characters.")
			}
		}
	}
	return nil
}

// Bind fills dst, a pointer to a struct with form tags, from the form in the
// body. JSON and XML are ignored: they would bypass the tags and the checks of
// forms.
func Bind(c echo.Context, dst any) error {
	if err := parseForm(c.Request()); err != nil {
		return err
	}
	if len(c.Request().PostForm) == 0 {
		return nil
	}
	if err := (&echo.DefaultBinder{}).BindBody(c, dst); err != nil {
		return fault.New(fault.Invalid, "The form is not valid. Load the page again and repeat your change.")
	}
	return nil
}

// Form makes a handler of one that takes a form, as Bind fills it.
func Form[T any](handle func(c echo.Context, form T) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		var form T
		if err := Bind(c, &form); err != nil {
			return err
		}
		return handle(c, form)
	}
}

// Problems holds the problems of a form that was sent.
type Problems struct {
	Fields map[string]string // field name → what to change
	Form   string            // about the form as a whole; empty when the fields say it all
}

// Again shows a form again with its problems, so that no input is lost: with 422
// for invalid fields, with 409 for a conflict, and with the status of the error and
// Retry-After for limits. It returns every other error.
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

// RetryAfter sets Retry-After to a duration, rounded up to seconds (RFC 9110,
// 10.2.3).
func RetryAfter(c echo.Context, wait time.Duration) {
	seconds := int((wait + time.Second - time.Nanosecond) / time.Second)
	c.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(seconds))
}

// Current returns the region that shows the current state beside a refused form. A
// conflict shows all of the page: something else has changed meanwhile.
func Current(status int) ui.Region {
	if status == http.StatusConflict {
		return ui.Main
	}
	return ""
}

// Wrong sets the errors of inputs.
func Wrong(inputs []ui.Input, problems *Problems) []ui.Input {
	for i := range inputs {
		inputs[i].Error = problems.Fields[inputs[i].Name]
	}
	return inputs
}
