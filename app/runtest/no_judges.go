//go:build !judge && !drill

package runtest

// Judges reports whether programs of others take part, which the tags judge and drill ask for.
const Judges = false
