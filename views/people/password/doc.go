// Package password renders how a user of the administration sets a password.
package password
