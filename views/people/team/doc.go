// Package team renders colleagues and invitations.
package team
