// Package organisations renders organisations and what belongs to them.
package organisations
