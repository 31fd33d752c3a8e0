// Package keys renders the keys of an account.
package keys
