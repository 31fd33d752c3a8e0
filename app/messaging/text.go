package messaging

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text is a JSON string that is also understood when a client sends a number
// or a boolean. It never holds NUL, which the database could not keep.
type Text string

// UnmarshalJSON reads a string, number or boolean; null leaves it empty.
func (t *Text) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	switch {
	case len(data) == 0 || bytes.Equal(data, []byte("null")):
		return nil
	case data[0] == '"' && bytes.IndexByte(data, '\\') < 0 && utf8.Valid(data):
		*t = Text(data[1 : len(data)-1]) // as nearly every string is
		return nil
	case data[0] == '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		if strings.ContainsRune(s, 0) {
			return unfit[Text]("string with a NUL character")
		}
		*t = Text(s)
		return nil
	case data[0] == '{' || data[0] == '[':
		return unfit[Text](kindOf(data))
	}
	*t = Text(data)
	return nil
}

// Integer is a whole JSON number that is also understood as a string.
type Integer int64

// UnmarshalJSON reads a whole number of 64 bits; null leaves it as it is.
func (i *Integer) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	n, err := strconv.ParseInt(unquote(data), 10, 64)
	if err != nil {
		return unfit[Integer](kindOf(data) + " in place of a whole number")
	}
	*i = Integer(n)
	return nil
}

// Decimal is a JSON number that is also understood as a string.
type Decimal float64

// UnmarshalJSON reads a finite number; null leaves it as it is.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	number := unquote(data)
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || strings.ContainsAny(number, "xXnN_") { // neither hexadecimal nor NaN nor Inf
		return unfit[Decimal](kindOf(data) + " in place of a number")
	}
	*d = Decimal(f)
	return nil
}

// Flag is a JSON boolean that is also understood as a string.
type Flag bool

// UnmarshalJSON reads true or false; null leaves it as it is.
func (f *Flag) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	b, err := strconv.ParseBool(unquote(data))
	if err != nil {
		return unfit[Flag](kindOf(data) + " in place of true or false")
	}
	*f = Flag(b)
	return nil
}

// Object is a JSON object whose members are the partner's own. Strings in it
// never hold NUL, and it is at most maxDepth deep.
type Object map[string]any

const maxDepth = 32

// UnmarshalJSON reads an object; numbers keep the digits that they came with.
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
		return unfit[Object](kindOf(data) + " in place of an object")
	case !storable(value, maxDepth):
		return unfit[Object]("object with a NUL character or more than " + strconv.Itoa(maxDepth) + " levels")
	}
	*o = members
	return nil
}

// storable reports whether the database can keep a value.
func storable(value any, depth int) bool {
	switch value := value.(type) {
	case string:
		return !strings.ContainsRune(value, 0)
	case []any:
		for _, v := range value {
			if depth == 0 || !storable(v, depth-1) {
				return false
			}
		}
	case map[string]any:
		for k, v := range value {
			if depth == 0 || !storable(k, 0) || !storable(v, depth-1) {
				return false
			}
		}
	}
	return true
}

// unfit is the error of a value that cannot be read as a T; the decoder adds
// the path to it.
func unfit[T any](value string) error {
	return &json.UnmarshalTypeError{Value: value, Type: reflect.TypeFor[T]()}
}

// kindOf names the kind of a JSON value.
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
