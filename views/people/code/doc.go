// Package code renders the fields in which a code is entered.
package code
