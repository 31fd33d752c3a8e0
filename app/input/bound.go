package input

import (
	"bytes"
	"fmt"
)

// deepest is how deep arrays and objects may be nested.
const deepest = 64

// Bound refuses JSON with more values than given, or nested too deep, before
// anything of it is decoded: a megabyte of empty objects would take a hundred
// times as much memory. An empty object or array counts as two values. Bound does
// not check the syntax. The error is for the client.
func Bound(data []byte, values int) error {
	count, depth := 1, 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = endOfString(data, i+1)
		case '{', '[':
			if depth++; depth > deepest {
				return fmt.Errorf("the body is nested deeper than %d levels", deepest)
			}
			count++
		case '}', ']':
			depth--
		case ',':
			count++
		}
		if count > values {
			return fmt.Errorf("the body has more than %d values", values)
		}
	}
	return nil
}

// endOfString returns the index of the quote that ends a string, or the length of data
// if none does. from is the index after its opening quote.
func endOfString(data []byte, from int) int {
	for {
		n := bytes.IndexByte(data[from:], '"')
		if n < 0 {
			return len(data)
		}
		end := from + n
		escapes := 0
		for data[end-escapes-1] == '\\' { // up to the opening quote
			escapes++
		}
		if escapes%2 == 0 {
			return end
		}
		from = end + 1
	}
}
