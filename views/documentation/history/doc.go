// Package history renders the revisions of an item.
package history
