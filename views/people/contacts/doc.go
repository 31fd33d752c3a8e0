// Package contacts renders enquiries and their settings.
package contacts
