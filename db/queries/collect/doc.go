// Package collect reads the rows of statements into values.
package collect
