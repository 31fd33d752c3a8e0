// Package bots renders the RCS bots of all organisations.
package bots
