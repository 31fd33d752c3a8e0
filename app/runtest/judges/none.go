//go:build !judge && !drill

// Package judges says whether programs of others take part in a run of tests.
package judges

// Run reports whether programs of others take part, which the tags judge and drill ask for.
const Run = false
