// Package input reads JSON that other people's programs send: numbers and
// booleans that come as strings and the reverse, and objects of the client's
// own. Describe explains to the client what cannot be read.
package input

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text is a JSON string. Numbers and booleans are accepted too. It never
// contains NUL, which the database cannot store.
type Text string

// UnmarshalJSON decodes a string, number or boolean. Null leaves it empty.
func (t *Text) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	switch {
	case len(data) == 0 || bytes.Equal(data, []byte("null")):
		return nil
	case data[0] == '"' && bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data):
		*t = Text(data[1 : len(data)-1]) // the common case, without escapes
		return nil
	case data[0] == '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		if strings.ContainsRune(s, 0) {
			return typeError[Text]("string with a NUL character")
		}
		*t = Text(s)
		return nil
	case data[0] == '{' || data[0] == '[':
		return typeError[Text](kindOf(data))
	}
	*t = Text(data)
	return nil
}

// Integer is a whole JSON number. A string with the number is accepted too.
type Integer int64

// UnmarshalJSON decodes a 64-bit integer. Null leaves it unchanged.
func (i *Integer) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	n, err := strconv.ParseInt(unquote(data), 10, 64)
	if err != nil {
		return typeError[Integer](kindOf(data) + ": a whole number is expected")
	}
	*i = Integer(n)
	return nil
}

// Decimal is a JSON number. A string with the number is accepted too.
type Decimal float64

// UnmarshalJSON decodes a finite number. Null leaves it unchanged.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	number := unquote(data)
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || strings.ContainsAny(number, "xXnN_") { // neither hexadecimal nor NaN nor Inf
		return typeError[Decimal](kindOf(data) + ": a number is expected")
	}
	*d = Decimal(f)
	return nil
}

// Flag is a JSON boolean. A string with the boolean is accepted too.
type Flag bool

// UnmarshalJSON decodes true or false. Null leaves it unchanged.
func (f *Flag) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	b, err := strconv.ParseBool(unquote(data))
	if err != nil {
		return typeError[Flag](kindOf(data) + ": true or false is expected")
	}
	*f = Flag(b)
	return nil
}

// Object is a JSON object with any members. Its strings never contain NUL, and it
// is at most maxDepth deep.
type Object map[string]any

const maxDepth = 32

// The errors of an object that cannot be stored.
var (
	errNUL  = errors.New("the body has a NUL character in a text: remove it")
	errDeep = errors.New("the body has more than " + strconv.Itoa(maxDepth) + " levels: remove what is not needed")
)

// UnmarshalJSON decodes an object. Numbers keep all their digits.
func (o *Object) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	members, ok := value.(map[string]any)
	switch {
	case value == nil:
		return nil
	case !ok:
		return typeError[Object](kindOf(data) + ": an object is expected")
	}
	if err := checkStorable(value, maxDepth); err != nil {
		return err
	}
	*o = members
	return nil
}

// checkStorable checks that the database can store a value.
func checkStorable(value any, depth int) error {
	switch value := value.(type) {
	case string:
		if strings.ContainsRune(value, 0) {
			return errNUL
		}
	case []any:
		for _, v := range value {
			if depth == 0 {
				return errDeep
			}
			if err := checkStorable(v, depth-1); err != nil {
				return err
			}
		}
	case map[string]any:
		for k, v := range value {
			if depth == 0 {
				return errDeep
			}
			if err := cmp.Or(checkStorable(k, 0), checkStorable(v, depth-1)); err != nil {
				return err
			}
		}
	}
	return nil
}

// typeError returns the error for a value that cannot be decoded into a T. The decoder adds
// the path.
func typeError[T any](value string) error {
	return &json.UnmarshalTypeError{Value: value, Type: reflect.TypeFor[T]()}
}

// kindOf returns the type of a JSON value.
func kindOf(data []byte) string {
	switch data[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func unquote(data []byte) string {
	return strings.TrimSpace(strings.Trim(string(data), `"`))
}

// Garbled returns a message for the sender of a JSON body in which decoding would silently
// replace characters: it is not UTF-8, or it escapes half of a character. For any other body
// the message is empty.
func Garbled(body []byte) string {
	if !utf8.Valid(body) {
		return "the body is not UTF-8: encode it as UTF-8 JSON"
	}
	if half := loneSurrogate(body); half != "" {
		return "the body has " + half + ", half of a character, without its other half: send whole characters"
	}
	return ""
}

// loneSurrogate returns the first escape of half a character in JSON that has no other
// half, such as \\ud83d, or an empty string.
func loneSurrogate(data []byte) string {
	for i := 0; i < len(data); {
		n := bytes.IndexByte(data[i:], '\\')
		if n < 0 {
			return ""
		}
		i += n
		half, ok := surrogate(data[i:])
		if !ok {
			i += 2 // whatever is escaped
			continue
		}
		other, follows := surrogate(data[i+6:])
		if half >= 0xdc00 || !follows || other < 0xdc00 {
			return string(data[i : i+6])
		}
		i += 12
	}
	return ""
}

// surrogate returns the half of a character that data begins with an escape of.
func surrogate(data []byte) (half uint64, ok bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	half, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	return half, err == nil && half >= 0xd800 && half <= 0xdfff
}
