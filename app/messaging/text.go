package messaging

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
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
	case data[0] == '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		if strings.ContainsRune(s, 0) {
			return &json.UnmarshalTypeError{Value: "string with a NUL character", Type: reflect.TypeFor[Text]()}
		}
		*t = Text(s)
		return nil
	case data[0] == '{' || data[0] == '[':
		return &json.UnmarshalTypeError{Value: map[byte]string{'{': "object", '[': "array"}[data[0]], Type: reflect.TypeFor[Text]()}
	}
	*t = Text(data)
	return nil
}
