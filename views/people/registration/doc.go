// Package registration renders registration and the reset of a password.
package registration
