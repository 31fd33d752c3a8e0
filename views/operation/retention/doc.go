// Package retention renders how long data is kept.
package retention
