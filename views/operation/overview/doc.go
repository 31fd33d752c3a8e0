// Package overview renders the first page of the administration.
package overview
