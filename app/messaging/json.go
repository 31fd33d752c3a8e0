package messaging

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// DescribeJSON says where and why a body cannot be read, for its author.
func DescribeJSON(body []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return "the body is empty: send a JSON object"
	case errors.As(err, &syntax):
		before := body[:min(int(syntax.Offset), len(body))]
		line := bytes.Count(before, []byte("\n")) + 1
		column := len(before) - bytes.LastIndexByte(before, '\n') - 1
		return fmt.Sprintf("the body is not JSON: %s at line %d, column %d", syntax, line, column)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf("%s cannot be a JSON %s", member(kind.Field), kind.Value)
	case errors.As(err, &kind):
		return fmt.Sprintf("a JSON %s stands where another kind of value belongs", kind.Value)
	}
	return "the body cannot be read: " + err.Error()
}

// member is a path without the embedded structs that encoding/json counts in:
// the members of this API are in lower case.
func member(path string) string {
	parts := slices.DeleteFunc(strings.Split(path, "."), func(part string) bool { return part != strings.ToLower(part) })
	return strings.Join(parts, ".")
}
