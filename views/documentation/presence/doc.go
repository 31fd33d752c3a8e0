// Package presence renders who else is here.
package presence
