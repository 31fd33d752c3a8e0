// Package synonyms renders the synonyms of the search.
package synonyms
