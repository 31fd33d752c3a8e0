// Package rebase renders what two people changed at once.
package rebase
