package messaging

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
		return fmt.Sprintf("%s cannot be a JSON %s", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return fmt.Sprintf("a JSON %s stands where another kind of value belongs", kind.Value)
	}
	return "the body cannot be read: " + err.Error()
}
