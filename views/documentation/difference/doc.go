// Package difference renders what changed between two texts.
package difference
