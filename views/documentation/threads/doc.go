// Package threads renders comments and their threads.
package threads
