// Package home renders the first page of an account.
package home
