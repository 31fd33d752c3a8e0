package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// flaw is a value that cannot be read.
type flaw struct{ code, message string }

// decodeJSON reads a JSON text (RFC 8259) within limits. The limits are
// checked before the text is decoded.
func decodeJSON(data []byte, limits limitSet) (any, *flaw) {
	if !utf8.Valid(data) {
		return nil, &flaw{"syntax", "Send JSON as UTF-8 text."}
	}
	if f := scanJSON(data, limits); f != nil {
		return nil, f
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, &flaw{"syntax", fmt.Sprintf("Send valid JSON. At byte %d: %s.", brokenAt(err, len(data)), err)}
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, &flaw{"syntax", fmt.Sprintf("Remove the text behind the JSON value, from byte %d on.", decoder.InputOffset())}
	}
	if !areNumbersInRange(value) {
		return nil, &flaw{"syntax", "Send numbers that a 64-bit float can hold."}
	}
	return value, nil
}

// brokenAt returns how many bytes of a text were read when it broke: all of one that ends
// too early.
func brokenAt(err error, length int) int64 {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Offset
	}
	return int64(length)
}

// scanJSON counts depth and values without decoding.
func scanJSON(data []byte, limits limitSet) *flaw {
	depth, values, isText := 0, 1, false
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case isText && c == '\\':
			i++
		case c == '"':
			isText = !isText
		case isText:
		case c == '{' || c == '[':
			depth++
			values++
		case c == '}' || c == ']':
			depth--
		case c == ',':
			values++
		}
		if depth > limits.Depth {
			return &flaw{"depth", "Nest objects and arrays at most " + strconv.Itoa(limits.Depth) + " levels deep."}
		}
		if values > limits.Values {
			return tooMany(limits)
		}
	}
	return nil
}

func tooMany(limits limitSet) *flaw {
	return &flaw{"values", "Send at most " + strconv.Itoa(limits.Values) + " values."}
}

func areNumbersInRange(value any) bool {
	switch v := value.(type) {
	case json.Number:
		return isInRange(v.String())
	case []any:
		for _, item := range v {
			if !areNumbersInRange(item) {
				return false
			}
		}
	case map[string]any:
		for _, member := range v {
			if !areNumbersInRange(member) {
				return false
			}
		}
	}
	return true
}
