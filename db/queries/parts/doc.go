// Package parts holds parts of statements that several wings use.
package parts
