// Package items renders the form of an item and what is known of it.
package items
