// Package writes changes and locks rows of operation.
package writes
