// Package collect runs statements, and reads their rows into values.
package collect
