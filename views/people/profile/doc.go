// Package profile renders what a user changes about their sign-in.
package profile
