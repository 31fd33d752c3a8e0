// Package releases renders the releases of a version.
package releases
