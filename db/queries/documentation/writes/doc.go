// Package writes changes and locks rows of the documentation.
package writes
