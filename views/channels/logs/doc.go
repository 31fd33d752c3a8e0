// Package logs renders the logs of messages and callbacks, and usage.
package logs
