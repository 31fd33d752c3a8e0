// Package registration renders registration, and how a password is set anew.
package registration
