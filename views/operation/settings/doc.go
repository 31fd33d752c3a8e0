// Package settings renders the settings and their tests.
package settings
