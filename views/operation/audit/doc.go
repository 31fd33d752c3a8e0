// Package audit renders the audit log.
package audit
