// Package users renders the users of the administration.
package users
