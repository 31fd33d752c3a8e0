// Package queries reads the tables of the channels: messages, callbacks, senders
// and what they send, carriers and operators.
package queries
