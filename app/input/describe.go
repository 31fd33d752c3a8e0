package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Describe returns a message for the sender of a body that says where and
// why it cannot be decoded.
func Describe(body []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return "the body is empty: send a JSON object"
	case errors.Is(err, errNUL), errors.Is(err, errDeep):
		return err.Error()
	case errors.As(err, &kind) && strings.Contains(kind.Value, "NUL"):
		return strings.TrimSpace(member(kind.Field) + " has a NUL character: remove it")
	case errors.As(err, &syntax):
		before := body[:min(int(syntax.Offset), len(body))]
		line := bytes.Count(before, []byte("\n")) + 1
		column := len(before) - bytes.LastIndexByte(before, '\n') - 1
		return fmt.Sprintf("the body is not JSON: %s at line %d, column %d", syntax, line, column)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf("%s cannot be a JSON %s", member(kind.Field), kind.Value)
	case errors.As(err, &kind):
		return fmt.Sprintf("the body cannot be a JSON %s", kind.Value)
	}
	return "the body cannot be decoded: " + err.Error()
}

// member returns a path without the embedded structs that encoding/json
// includes. The fields of these APIs are in lower case.
func member(path string) string {
	parts := slices.DeleteFunc(strings.Split(path, "."), func(part string) bool { return part != strings.ToLower(part) })
	return strings.Join(parts, ".")
}
