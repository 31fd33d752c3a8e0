// Package queries reads the tables of the documentation: items and revisions,
// releases, reviews, search, the gallery and imports.
package queries
