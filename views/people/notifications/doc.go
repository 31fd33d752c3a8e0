// Package notifications renders the messages that the portal sends.
package notifications
