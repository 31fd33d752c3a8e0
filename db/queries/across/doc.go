// Package across reads the tables of several wings at once, for pages about the
// whole. Each wing gives its own part of such a statement.
package across
