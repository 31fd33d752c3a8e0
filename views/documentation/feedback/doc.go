// Package feedback renders what readers said.
package feedback
