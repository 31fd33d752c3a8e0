// Package ownbots renders the RCS bots of an account.
package ownbots
