// Package webhooks renders the webhooks of an account.
package webhooks
