// Package assets renders the assets of an account, and what it shares.
package assets
