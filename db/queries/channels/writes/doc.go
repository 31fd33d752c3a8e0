// Package writes changes and locks rows of the channels.
package writes
