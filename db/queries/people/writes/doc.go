// Package writes changes and locks rows of people.
package writes
