package tree

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"heliograph/app/fault"
)

// The limits of a document, so that a small hostile file cannot become a large
// tree. All real documents that we know are below them.
const (
	MaxBytes  = 10 << 20  // 10 MiB
	maxDepth  = 200       // objects and arrays within each other
	MaxNodes  = 1_000_000 // values, counted through YAML aliases
	maxNumber = 100       // characters of a number
)

// Read reads JSON or YAML into a tree. Anything that begins with a brace or
// a bracket is JSON. Errors are Invalid faults that name line and column.
func Read(data []byte) (*Node, error) {
	if len(data) > MaxBytes {
		return nil, fault.New(fault.TooLarge, "The document is over %d MiB. Split it into smaller documents.", MaxBytes>>20)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) {
		return nil, fault.New(fault.Invalid, "The document is not UTF-8 text. Save it as UTF-8.")
	}
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) == 0 {
		return nil, fault.New(fault.Invalid, "The document is empty. Choose an OpenAPI document.")
	}
	if trimmed[0] == '{' || trimmed[0] == '[' {
		return decodeJSON(data)
	}
	return decodeYAML(data)
}

// budget counts the values and the depth of a tree while it grows.
type budget struct{ nodes int }

// spend takes one value at a depth from the budget.
func (b *budget) spend(line, column, depth int) error {
	if b.nodes++; b.nodes > MaxNodes {
		return Invalid(line, column, "the document has over %d values, aliases counted; split it into smaller documents", MaxNodes)
	}
	if depth > maxDepth {
		return Invalid(line, column, "values are nested over %d levels deep; flatten them", maxDepth)
	}
	return nil
}

// Invalid returns an Invalid fault with its place in the source.
func Invalid(line, column int, format string, args ...any) error {
	return fault.New(fault.Invalid, "Line %d, column %d: %s.", line, column, fmt.Sprintf(format, args...))
}

// checkText refuses text that JSON or pages cannot hold.
func checkText(line, column int, s string) error {
	if strings.IndexByte(s, 0) >= 0 {
		return Invalid(line, column, "the text contains a NUL character; remove it")
	}
	return nil
}

// checkNumber refuses numbers beyond a 64-bit float: exact arithmetic on
// 1e999999 would keep a validator busy for minutes.
func checkNumber(line, column int, literal string) error {
	f, err := strconv.ParseFloat(literal, 64)
	if len(literal) > maxNumber || err != nil && !errors.Is(err, strconv.ErrSyntax) ||
		f == 0 && strings.ContainsAny(mantissa(literal), "123456789") {
		return Invalid(line, column, "the number %.20s is out of range; use one that a 64-bit float can hold", literal)
	}
	return nil
}

func mantissa(literal string) string {
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		return literal[:i]
	}
	return literal
}
