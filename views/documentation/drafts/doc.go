// Package drafts renders drafts and their review.
package drafts
