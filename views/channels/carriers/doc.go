// Package carriers renders the carriers.
package carriers
